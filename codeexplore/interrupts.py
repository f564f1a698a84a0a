"""Restore a KeyboardInterrupt that other code replaced by another exception."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_first() -> Iterator[None]:
    """Raise the interrupt if the block ends with another exception that replaced it.

    Cleaning up after Ctrl-C can fail: `zipfile` can't close an archive whose member is half written, and C code turns
    an exception of its callbacks into a `SystemError` or an `ImportError`. Such an exception must not become an error
    of codeexplore, nor count as a file that can't be read.

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
    """Return the interrupt among the causes and contexts of an exception, up to the one already being handled."""
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
