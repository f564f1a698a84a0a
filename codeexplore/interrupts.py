"""Interrupts that stay interrupts where other code puts another exception in their place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_first() -> Iterator[None]:
    """Raise the interrupt where the block ends with another exception that took its place.

    Cleaning up after Ctrl-C can fail: `zipfile` can't close an archive whose member is half written, and C code makes
    a `SystemError` or an `ImportError` of what its callbacks raise. Such an exception must not become an error of
    codeexplore, nor be taken for a file that can't be read.

    Raises
    ------
    KeyboardInterrupt
        The one that was raised within the block. One that the caller was handling before the block does not count.
    """
    handled = sys.exception()
    try:
        yield
    except Exception as error:
        interrupt = _interrupt_behind(error, handled)
        if interrupt is None:
            raise
        raise interrupt from None


def _interrupt_behind(error: BaseException, handled: BaseException | None) -> KeyboardInterrupt | None:
    """The interrupt among the causes and contexts of an exception, down to what was handled before."""
    waiting, seen = [error], {id(handled)}
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        if isinstance(each, KeyboardInterrupt):
            return each
        seen.add(id(each))
        waiting += [earlier for earlier in (each.__cause__, each.__context__) if earlier is not None]
    return None
