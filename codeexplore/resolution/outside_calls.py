"""Results of calls of functions and classes outside the repository."""

from __future__ import annotations

from codeexplore.resolution.program import Program


class OutsideCalls:
    """Abstract values for the results of outside calls. They are outside names too."""

    def __init__(self, program: Program) -> None:
        self.program, self.rules, self.entities = program, program.rules, program.entities
        self._results: dict[int, int] = {}  # entity of an outside name → entity of its result; -1 for a model
        self._type_names: frozenset[str] | None = None  # computed at the first use

    def result(self, entity: int) -> int:
        """Return the abstract value of the result of calling the outside name `entity`.

        It is -1 if a library model computes the result from the arguments.
        """
        given = self._results.get(entity)
        if given is None:
            name = self.entities.external_name(entity)
            known = name in self.rules.builtins.functions
            given = self._results[entity] = -1 if known else self.entities.external(self._result_name(name))
        return given

    def _result_name(self, name: str) -> str:
        """Return the name for the result of calling an outside name.

        A new instance has the name of its class, so that its method is ``pathlib.Path.exists``.
        """
        last = name.rpartition(".")[2]
        is_class = last[:1].isupper() and not last.isupper()
        if self.rules.classes.structural and is_class:
            if self._type_names is None:
                self._type_names = self._find_type_names()
            is_class = last in self._type_names
        return name if is_class else f"{name}()"

    def _find_type_names(self) -> frozenset[str]:
        """Return the last parts of all names that are used as a type or after ``new``: ``Path`` for ``fs.Path``."""
        rows = (row for file in self.program.references for row in file.fields("kind", "path"))
        return frozenset(path.rpartition(".")[2] for kind, path in rows if kind in ("new", "type"))
