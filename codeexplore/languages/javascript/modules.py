"""Imports and exports of ECMAScript modules, CommonJS, and older forms of TypeScript."""

from __future__ import annotations

import re

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import line_col
from codeexplore.languages.extraction.extractor import Extractor, Part
from codeexplore.languages.javascript.paths import DEFAULT, NAMED_VALUES, ScriptPaths, key_text
from codeexplore.types import Export, Import, Reference

_LOADED = re.compile(rb"(?:require|(?:await\s+)?import)\(\s*([\"'`])([^\"'`$\n]+)\1\s*,?\s*\)(?:\.([\w$]+))?")


class ScriptModules(Part):
    """Handlers for imports and exports.

    If the result of ``require`` or ``import()`` is not assigned to a name, it is imported under the name
    ``%import:LINE:COL``, with which access paths then begin. ``module.exports = x`` and ``export = x`` export the
    module as a whole; the name of this export is ``=``.
    """

    paths: ScriptPaths

    def __init__(self, extractor: Extractor) -> None:
        super().__init__(extractor)
        # first bytes of the arguments of ``require`` and ``import()`` calls whose result is bound to a name
        self._loaded: set[int] = set()
        self.aliases: set[str] = set()  # variables for the exports: ``const app = exports``

    def begin(self) -> None:
        """Forget the previous file before another one is extracted."""
        self._loaded.clear()
        self.aliases.clear()
        self.paths.outside.clear()
        self.paths.keys.clear()

    def _import(self, scope: int, name: str, module: str, member: str, line: int) -> None:
        self.imports.append(Import(scope, name, module, member, line))
        self.paths.keys.add(name)
        if name and module[:1] not in "./":
            self.paths.outside.add(name.encode())

    def on_import(self, scope: int, node: Node) -> None:
        """Add the names of ``import d, {a as b} …``, ``import * as n …``, ``import "m"``, ``import x = require(…)``."""
        line = node.start_point[0] + 1
        source = node.child_by_field_name("source")
        clause = next((c for c in node.named_children if c.type in ("import_clause", "import_require_clause")), None)
        if clause is not None and clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
        if source is None:
            return
        module = self._key(source)
        if clause is None:
            self.imports.append(Import(scope, "", module, "", line))
            return
        for child in clause.named_children:
            if child.type == "identifier":
                member = DEFAULT if clause.type == "import_clause" else ""
                self._import(scope, self.text(child), module, member, line)
            elif child.type == "namespace_import" and child.named_child_count:
                self._import(scope, self.text(child.named_children[0]), module, "", line)
            elif child.type == "named_imports":
                self._named_imports(scope, child, module)

    def _named_imports(self, scope: int, node: Node, module: str) -> None:
        for child in node.named_children:
            name = child.child_by_field_name("name")
            if name is not None:
                alias = child.child_by_field_name("alias") or name
                self._import(scope, self.text(alias), module, self._key(name), child.start_point[0] + 1)

    def bind_loaded(self, scope: int, name: Node, value: Node, line: int) -> bool:
        """Add the imports of ``const x = require("m")``; return False if `value` is no module or member of a module."""
        if not self.paths.data.startswith((b"require(", b"import(", b"await"), value.start_byte):
            return False
        found = _LOADED.fullmatch(self.paths.data, value.start_byte, value.end_byte)
        if found is None:
            return False
        module = found.group(2).decode("utf-8", "replace")
        member = (found.group(3) or b"").decode()
        rows: list[tuple[str, str]] = []
        if name.type == "identifier":
            rows.append((self.text(name), member))
        elif name.type == "object_pattern" and not member:
            for child in name.named_children:
                key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
                if child.type == "shorthand_property_identifier_pattern":
                    rows.append((self.text(child), self.text(child)))
                elif key is not None and target is not None and target.type == "identifier":
                    rows.append((self.text(target), self._key(key)))
                else:
                    return False
        if not rows:
            return False
        for bound, taken in rows:
            self._import(scope, bound, module, taken, line)
        self._loaded.add(self.paths.data.find(b"(", value.start_byte))
        return True

    def load(self, scope: int, node: Node) -> None:
        """Add the import for a call of ``require`` or ``import`` whose result is not assigned to a name."""
        arguments = node.child_by_field_name("arguments")
        if arguments is None or arguments.start_byte in self._loaded or not arguments.named_child_count:
            return
        source = next((child for child in arguments.named_children if child.type != "comment"), arguments)
        plain = b"${" not in self.paths.data[source.start_byte : source.end_byte]
        if source.type in ("string", "template_string") and plain:
            name, line = f"%import:{line_col(node)}", node.start_point[0] + 1
            self.imports.append(Import(scope, name, self._key(source), "", line))
            if node.parent is not None and node.parent.type == "arrow_function":  # its caller takes the default
                self.references.append(Reference(scope, "read", f"{name}.{DEFAULT}", line))

    def _key(self, node: Node) -> str:
        return key_text(node, self.paths.data)

    # ----------------------------------------------------------------- exports

    def on_export(self, scope: int, node: Node) -> None:
        """Add the names that an ``export`` statement exports."""
        if scope:
            return
        line = node.start_point[0] + 1
        source = node.child_by_field_name("source")
        if source is not None:
            self._re_exports(node, self._key(source), line)
            return
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        is_default = any(child.type == "default" for child in node.children[1:4])
        if declaration is not None:
            for name in self._declared(declaration):
                self.exports.append(Export(DEFAULT if is_default else name, name, "", line))
        elif value is not None:
            self._export_value(scope, value, line)
        else:
            for child in node.named_children:
                if child.type == "export_clause":
                    self._export_clause(child, "")
                elif child.type in ("identifier", "member_expression") and node.children[1].type == "=":
                    self.exports.append(Export("=", self.path_of(child), "", line))

    def _re_exports(self, node: Node, module: str, line: int) -> None:
        for child in node.children[1:]:
            if child.type == "export_clause":
                self._export_clause(child, module)
            elif child.type == "namespace_export" and child.named_child_count:
                self.exports.append(Export(self._key(child.named_children[0]), "", module, line))
            elif child.type == "*":
                self.exports.append(Export("*", "*", module, line))

    def _export_clause(self, node: Node, module: str) -> None:
        for child in node.named_children:
            name = child.child_by_field_name("name")
            if name is not None:
                alias = child.child_by_field_name("alias") or name
                target = self._key(name)
                self.exports.append(Export(self._key(alias), target, module, child.start_point[0] + 1))

    def _export_value(self, scope: int, value: Node, line: int) -> None:
        """Add the export ``default value``. A value that is not a name gets a binding named ``default``."""
        if value.type in NAMED_VALUES:
            self.exports.append(Export(DEFAULT, self.text(value.child_by_field_name("name")) or DEFAULT, "", line))
        elif value.type in ("identifier", "member_expression"):
            self.exports.append(Export(DEFAULT, self.path_of(value), "", line))
        else:
            self.bind(scope, DEFAULT, "variable", "", self.paths.values_of(value), line)
            self.exports.append(Export(DEFAULT, DEFAULT, "", line))

    def _declared(self, node: Node) -> list[str]:
        name = node.child_by_field_name("name")
        if name is not None:
            return [self._key(name)]
        names: list[str] = []
        for child in node.named_children:
            target = child.child_by_field_name("name") if child.type == "variable_declarator" else None
            if target is not None and target.type == "identifier":
                names.append(self.text(target))
            elif target is not None:
                names.extend(self._pattern_names(target))
            elif node.type == "import_alias":
                return [self.text(child)]
            elif child.type in ("internal_module", "function_signature", "module"):
                names.extend(self._declared(child))
        return names

    def _pattern_names(self, pattern: Node) -> list[str]:
        names: list[str] = []
        pending = [pattern]
        while pending:
            node = pending.pop()
            if node.type in ("identifier", "shorthand_property_identifier_pattern"):
                names.append(self.text(node))
            elif node.type == "pair_pattern":
                pending.extend(filter(None, [node.child_by_field_name("value")]))
            elif node.type in ("assignment_pattern", "object_assignment_pattern"):
                pending.extend(filter(None, [node.child_by_field_name("left")]))
            else:
                pending.extend(reversed(node.named_children))
        return names

    def export_common(self, left: str, right: Node, value: str, line: int) -> None:
        """Add the export of ``module.exports = …`` or ``exports.name = …``.

        `left` is the assigned access path, ``exports`` or ``exports.name``.
        """
        names = left.split(".")[1:]
        if len(names) == 1:
            is_place = ":" in value or value[:1] != "%"
            self.exports.append(Export(names[0], value if value and is_place else names[0], "", line))
        if names:
            return
        found = _LOADED.fullmatch(self.paths.data, right.start_byte, right.end_byte)
        if found is not None:
            module, member = found.group(2).decode("utf-8", "replace"), (found.group(3) or b"=").decode()
            self.exports.append(Export("=", member, module, line))
            if member == "=":
                self.exports.append(Export("*", "*", module, line))
            return
        self.exports.append(Export("=", value or DEFAULT, "", line))
        for child in right.named_children if right.type == "object" else ():
            self._export_member(child)

    def _export_member(self, node: Node) -> None:
        line = node.start_point[0] + 1
        if node.type == "shorthand_property_identifier":
            self.exports.append(Export(self.text(node), self.text(node), "", line))
        elif node.type == "spread_element":
            found = _LOADED.fullmatch(self.paths.data, node.start_byte + 3, node.end_byte)
            if found is not None:
                self.exports.append(Export("*", "*", found.group(2).decode("utf-8", "replace"), line))
        else:
            key = node.child_by_field_name("key") or node.child_by_field_name("name")
            value = node if node.type == "method_definition" else node.child_by_field_name("value")
            path = self.path_of(value)
            if key is not None and path:
                self.exports.append(Export(self._key(key), path, "", line))
