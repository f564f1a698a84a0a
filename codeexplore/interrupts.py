"""Recover a KeyboardInterrupt that other code has replaced by another exception."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_first() -> Iterator[None]:
    """Context manager: raise the KeyboardInterrupt if the block ends with another exception that replaced it.

    Cleaning up after Ctrl-C can fail: `zipfile` can't close an archive with a partly written member, and C code turns
    an exception of its callbacks into a `SystemError` or an `ImportError`. Such an exception must not become an error
    of codeexplore, and must not count as a file that can't be read.

    Raises
    ------
    KeyboardInterrupt
        An interrupt was raised within the block. An interrupt that the caller was already handling does not count.
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
    """Return the interrupt among the causes and contexts of an exception; None if there is none.

    The search does not go beyond `handled`, the exception that was already being handled.
    """
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
