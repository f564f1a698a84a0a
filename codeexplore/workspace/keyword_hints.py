"""Messages for mistyped keyword arguments of public methods. They list the most similar names, or all names."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import Any, TypeVar

_NEAR = 0.6  # difflib's ratio: kind → kinds, deep → depth
_Class = TypeVar("_Class", bound=type)


def suggests_keywords(cls: _Class) -> _Class:
    """Class decorator: if a public method gets an unknown keyword, the TypeError lists the most similar keywords."""
    for name, method in list(vars(cls).items()):
        if isfunction(method) and not name.startswith("_"):
            setattr(cls, name, _checked(cls.__name__, method))
    return cls


def _checked(owner: str, method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = list(signature(method).parameters.values())[1:]
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return method
    known = frozenset(parameter.name for parameter in parameters)

    @wraps(method)
    def with_known_keywords(self: Any, *args: Any, **options: Any) -> Any:
        if not options.keys() <= known:
            unknown = next(key for key in options if key not in known)
            near = get_close_matches(unknown, sorted(known), n=2, cutoff=_NEAR)
            hint = f"did you mean {' or '.join(near)}?" if near else f"it takes {', '.join(sorted(known))}"
            raise TypeError(f"{owner}.{method.__name__}() got an unexpected keyword argument {unknown!r}; {hint}")
        return method(self, *args, **options)

    return with_known_keywords
