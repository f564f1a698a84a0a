"""Everything codeexplore raises on purpose.

::

    CodeExploreError
    ├── SourceError                a repository or file can't be had
    │   ├── RootNotFound           the path does not exist            (also FileNotFoundError)
    │   ├── RootNotAFolder         the path is a file                 (also NotADirectoryError)
    │   ├── NothingToIndex         no file of the folder could be read
    │   ├── PackageNotFound        no such importable package         (also LookupError)
    │   └── GitError               a clone was refused or failed
    ├── TargetError                a symbol was asked for             (also LookupError)
    │   ├── SymbolNotFound         no such symbol; `.nearest` lists alike names
    │   └── AmbiguousSymbol        several fit; `.choices` lists them, public definitions first
    ├── QuestionError              a question or option is not usable (also ValueError)
    │   └── FixtureError           a file of evaluation questions is not usable
    ├── ModelError                 an embedding model can't be had
    ├── GraphUnresolved            a question about a graph whose references could not be resolved
    ├── IndexFileError             a stored index can't be had
    │   ├── DamagedIndex           it is damaged, foreign, or of another version
    │   └── SourceNotIncluded      it was saved without the source texts
    └── LoadCancelled              a load was interrupted on request

Each message says what was wrong, with which value, and what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.sanitize import visible

if TYPE_CHECKING:
    from codeexplore.types import Symbol


class CodeExploreError(Exception):
    """Base class of all errors raised on purpose. Names of a repository are shown with nothing invisible in them."""

    def __str__(self) -> str:
        return visible(super().__str__())


class SourceError(CodeExploreError):
    """A repository, package or file can't be had."""


class RootNotFound(SourceError, FileNotFoundError):
    """The path given as a repository does not exist."""


class RootNotAFolder(SourceError, NotADirectoryError):
    """The path given as a repository is not a folder."""


class NothingToIndex(SourceError):
    """The folder holds no file that could be indexed."""


class PackageNotFound(SourceError, LookupError):
    """No importable package or module of that name has sources here."""


class GitError(SourceError):
    """A git URL was refused, or git failed."""


class TargetError(CodeExploreError, LookupError):
    """A symbol was asked for and can't be told."""


class SymbolNotFound(TargetError):
    """No symbol fits. `nearest` holds the fqns of the most alike, best first."""

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


class AmbiguousSymbol(TargetError):
    """More than one symbol fits.

    Attributes
    ----------
    name
        The name that was asked for.
    choices
        The symbols it may mean, public definitions first, then others of the sources, then those of tests. Any of
        them, or the whole tuple, is a target: ``ws.callers(error.choices)``.
    candidates
        Their ids.
    """

    def __init__(self, message: str, choices: Sequence[Symbol] = (), name: str = "") -> None:
        super().__init__(message)
        self.choices = tuple(choices)
        self.candidates = tuple(symbol.id for symbol in self.choices)
        self.name = name


class QuestionError(CodeExploreError, ValueError):
    """A question or one of its options is not usable."""


class FixtureError(QuestionError):
    """A file of questions with known answers can't be read, or something in it is wrong; the message names the line."""


class ModelError(CodeExploreError):
    """An embedding model can't be had or is not what it claims to be."""


class GraphUnresolved(CodeExploreError):
    """References could not be resolved: who calls what is not known, so that no answer can be given."""


class LoadCancelled(CodeExploreError):
    """A load was interrupted on request; whatever was loaded before is untouched."""


class IndexFileError(CodeExploreError):
    """A stored index can't be read or written."""


class DamagedIndex(IndexFileError):
    """A stored index is damaged, foreign, or of another version."""


class SourceNotIncluded(IndexFileError):
    """A stored index was saved without the source texts that are asked for."""
