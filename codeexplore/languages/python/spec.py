"""Language record of Python."""

from __future__ import annotations

import builtins
import collections.abc
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.languages.base import HASHES, LINKS, Called, full, later, table, words

if TYPE_CHECKING:
    from codeexplore.types import Symbol


def _is_overload_head(symbol: Symbol, _: str) -> bool:
    return any(decorator.rpartition(".")[2] == "overload" for decorator in symbol.decorators)


_PLAIN_DECORATORS = words(
    """
    property cached_property staticmethod classmethod abstractmethod abstractproperty wraps update_wrapper lru_cache
    cache contextmanager asynccontextmanager overload override final dataclass total_ordering setter getter deleter
    no_type_check runtime_checkable singledispatch singledispatchmethod define attrs frozen unique deprecated
    """
)
_PLAIN_BASES = words(
    """
    object ABC abc.ABC Protocol typing.Protocol Generic typing.Generic Enum enum.Enum IntEnum Exception ValueError
    NamedTuple typing.NamedTuple TypedDict typing.TypedDict
    """
)
_CALLED_METHODS = {  # those of supertypes outside are not listed
    Called("imports call {} of finders and loaders"): """
    find_spec exec_module create_module load_module get_code get_source is_package get_data get_filename
    invalidate_caches
    """,
    Called("code that gets the object as a file may call {}"): """
    write writelines read readline readlines readinto seek tell flush close fileno isatty truncate
    """,
    Called(): "from_param keys",
}

_SAME_TYPES = words("List Dict Set FrozenSet Tuple Type")  # of typing and of the language


def _base_calls(base: str, name: str) -> bool:
    """Return False if `base` is a type of Python itself, such as ``dict[str, int]``, that has no method `name`."""
    name_of = base.partition("[")[0].rpartition(".")[2]
    known = getattr(builtins, name_of, None) or getattr(collections.abc, name_of, None)
    return not isinstance(known, type) or hasattr(known, name)


_KEEPING = words(
    """
    all any append appendleft ascii bool bytes callable cast copy deepcopy dict delattr discard enumerate extend filter
    float format frozenset get getattr hasattr hash id insert int isinstance issubclass iter len list map max min next
    open partial print put put_nowait remove repr reversed set setattr setdefault sorted str sum super tuple type
    update vars zip

    critical debug error exception info log warning
    """
)
"""Built-in functions, methods of containers and of logging, which call special methods of objects only."""

PYTHON = replace(
    full("python", "Python"),
    rules=later(f"{__package__}.resolve:rules"),
    extensions=(".py", ".pyi", ".pyw"),
    interpreters=("python", "python2", "python3", "pypy"),
    named_by=("__init__.py",),
    manifests=("pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", LINKS),
    is_overload_head=_is_overload_head,
    visibility="list",
    comment_start=HASHES,
    constructors=("__init__", "__new__", "__post_init__"),
    implicit_members=re.compile(
        r"__\w+__|pytestmark|pytest_plugins|collect_ignore(?:_glob)?|(?:un)?load_ipython_extension|_jupyter_\w+"
        r"|_?(?:un)?load_jupyter_server_extension"
    ),
    tool_files=re.compile(r"(?:^|/)(?:conf|gunicorn\.conf|noxfile|fabfile|dodo|sitecustomize)\.py$"),
    called_methods=table(_CALLED_METHODS),
    keeping=_KEEPING,
    hooks=re.compile("_[^_].*_"),  # such as _repr_html_
    script_guard=re.compile(r"^if\s+__name__\s*==\s*['\"]__main__['\"]", re.MULTILINE),
    plain_decorators=_PLAIN_DECORATORS,
    plain_bases=_PLAIN_BASES,
    computed_names=re.compile(
        r"""\b(?:globals|locals|vars)\s*\(\s*\)\s*(?:\[|\.get\()\s*(?!['"\s])"""
        r"""|\bgetattr\s*\(\s*sys\.modules\[__name__\]\s*,\s*(?!['"\s])"""
    ),
    computed_types=re.compile(r"\b__subclasses__\("),
    evaluating=re.compile(r"""(?<![\w.])(?<!def )(?:eval|exec)\(\s*(?!["'\s])"""),
    reflection=re.compile(
        r"dir\((?<![\w.]dir\()(?!\s*\))|getmembers\(|vars\([A-Z]|\.__dict__(?<!\bself\.__dict__)"
        r"""|getattr\((?<![\w.]getattr\()\s*(?!(?:self|cls)\s*,)[\w.]+\s*,\s*(?!["'\s]|[fF]["'])"""
    ),
    module_loads=r"\b{}\s*=.*\b(?:import_module|__import__|sys\.modules|modules)\b",
    examples=re.compile(r"^\s*>>> ", re.MULTILINE),
    type_values=re.compile(r"\b[A-Z]\w*"),
    base_calls=_base_calls,
    test_files=re.compile(r"(?:test_.+|.+_tests?|conftest|tests)\.pyi?"),
    test_names=("test",),
    test_decorators=frozenset({"test"}),
    named_arguments=True,
    property_value=re.compile(r"=\s*property\("),
    same_types={each: each.lower() for each in _SAME_TYPES}
    | {"Text": "str", "IOError": "OSError", "ContextManager": "AbstractContextManager", "DefaultDict": "defaultdict"}
    | {"AsyncContextManager": "AbstractAsyncContextManager", "NamedTuple": "tuple", "EnvironmentError": "OSError"},
    same_modules=words("typing typing_extensions collections contextlib re builtins"),
    type_variable=re.compile(r"=\s*(?:\w+\.)?(?:TypeVar|ParamSpec|TypeVarTuple)\("),
    any_types=words("Any object None"),
    optional_types=frozenset({"Optional"}),
    union_types=frozenset({"Union"}),
    quoted_types=True,
    type_nodes=frozenset({"type", "type_parameter"}),
    typed_nodes={"typed_parameter": "", "typed_default_parameter": "default_parameter"},
)
