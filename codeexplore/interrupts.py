"""Recover a KeyboardInterrupt that other code has replaced by another exception."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_first() -> Iterator[None]:
    """Context manager that restores a KeyboardInterrupt which another exception has replaced.

    If the block ends with such an exception, the KeyboardInterrupt is raised instead.

    Cleaning up after Ctrl-C can fail. For example, `zipfile` cannot close an archive with a partly written member. C
    code turns an exception of its callbacks into a `SystemError` or an `ImportError`. Such an exception must not be
    reported as an error of codeexplore, and must not count as a file that cannot be read.

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
    """Return the KeyboardInterrupt among the causes and contexts of `error`; None if there is none.

    The search ends at `handled`, the exception that was being handled before.
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
