"""The exceptions that codeexplore raises on purpose.

::

    CodeExploreError
    ├── SourceError                a repository or file can't be read
    │   ├── RootNotFound           the path does not exist            (also FileNotFoundError)
    │   ├── RootNotAFolder         the path is a file                 (also NotADirectoryError)
    │   ├── NothingToIndex         no file of the folder could be read
    │   ├── PackageNotFound        no such importable package         (also LookupError)
    │   ├── GitError               git refused or failed, or there is no such commit
    │   └── PatchError             a patch can't be read, or does not apply
    ├── TargetError                a requested symbol was not found   (also LookupError)
    │   ├── SymbolNotFound         no such symbol; `.nearest` lists similar names
    │   └── AmbiguousSymbol        several symbols fit; `.choices` lists them
    ├── QuestionError              a question or option is not usable (also ValueError)
    │   └── FixtureError           a file of evaluation questions is not usable
    ├── LabError                   a lab can't be copied, read or graded
    ├── ModelError                 an embedding model can't be loaded
    ├── TraceError                 calls can't be traced, or a saved trace can't be read
    ├── GraphUnresolved            a question about a graph whose references could not be resolved
    ├── IndexFileError             a stored index can't be read or written
    │   ├── DamagedIndex           it is damaged, not an index, or of another version
    │   └── SourceNotIncluded      it was saved without the source texts
    ├── LoadCancelled              a load was interrupted on request
    └── NotEnoughMemory            a load will not fit in memory          (also MemoryError)

Each message names the error, the value that caused it and the next step. If the next step is a call, it is data:
`next_steps`, which Python, the command line and assistants write in their own form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.types.next_step import NextStep, with_steps
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.types import Symbol


class CodeExploreError(Exception):
    """Base class of all errors raised on purpose. In messages, invisible characters from a repository are escaped.

    Attributes
    ----------
    next_steps
        Calls that help. ``str(error)`` ends with them, in Python.
    """

    def __init__(self, *arguments: object, next_steps: Sequence[NextStep] = ()) -> None:
        super().__init__(*arguments)
        self.next_steps = tuple(next_steps)

    @property
    def message(self) -> str:
        """The message without the next steps."""
        return visible(super().__str__())

    def __str__(self) -> str:
        return with_steps(self.message, self.next_steps)


class SourceError(CodeExploreError):
    """A repository, package or file can't be read."""


class RootNotFound(SourceError, FileNotFoundError):
    """The path given as a repository does not exist."""


class RootNotAFolder(SourceError, NotADirectoryError):
    """The path given as a repository is not a folder."""


class NothingToIndex(SourceError):
    """The folder contains no file that could be indexed."""


class PackageNotFound(SourceError, LookupError):
    """No package or module with the requested name can be imported here, or it has no Python sources."""


class GitError(SourceError):
    """A git URL was refused, git failed, or a repository has no such commit."""


class PatchError(SourceError):
    """A patch can't be read, or does not apply. The message names the file and the line."""


class TargetError(CodeExploreError, LookupError):
    """The requested symbol does not exist or is ambiguous."""


class SymbolNotFound(TargetError):
    """No symbol has the requested name. `nearest` lists the most similar qualified names, best first."""

    def __init__(self, message: str, nearest: Sequence[str] = (), *, next_steps: Sequence[NextStep] = ()) -> None:
        super().__init__(message, next_steps=next_steps)
        self.nearest = tuple(nearest)


class AmbiguousSymbol(TargetError):
    """More than one symbol has the requested name.

    Attributes
    ----------
    name
        The requested name.
    choices
        The symbols with this name: first public definitions, then other source code, then tests. Each of them, and also
        the whole tuple, is a valid target: ``ws.callers(error.choices)``.
    candidates
        The ids of the choices.
    """

    def __init__(self, message: str, choices: Sequence[Symbol] = (), name: str = "") -> None:
        super().__init__(message)
        self.choices = tuple(choices)
        self.candidates = tuple(symbol.id for symbol in self.choices)
        self.name = name


class QuestionError(CodeExploreError, ValueError):
    """A question or one of its options is not usable."""


class FixtureError(QuestionError):
    """A file of questions with known answers can't be read, or is invalid. The message names the line."""


class LabError(CodeExploreError):
    """The lab cannot be copied, read or graded; or a repository has nothing that fits an exercise."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback: the message alone, since no code is at fault."""
        return [f"LabError: {self}"]


class ModelError(CodeExploreError):
    """An embedding model can't be loaded or is damaged."""


class GraphUnresolved(CodeExploreError):
    """References could not be resolved, so questions about callers and other edges have no answer."""


class TraceError(CodeExploreError):
    """Calls can't be traced now, a trace is still running, or a saved trace can't be read or written."""


class LoadCancelled(CodeExploreError):
    """A load was cancelled on request. The previous index is unchanged."""


class NotEnoughMemory(MemoryError, CodeExploreError):
    """A load will not fit in the memory that a limit leaves to this process. The previous index is unchanged."""

    # MemoryError is the first base: as a later one, Python refuses its `__new__`, which some picklers call.
    __init__ = CodeExploreError.__init__


class IndexFileError(CodeExploreError):
    """A stored index can't be read or written."""


class DamagedIndex(IndexFileError):
    """A stored index is damaged, was not written by codeexplore, or has another version."""


class SourceNotIncluded(IndexFileError):
    """A stored index was saved without source texts, and a text is needed."""
