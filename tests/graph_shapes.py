"""Awkward shapes for resolution, at any size: recursion, imports in rings, hierarchies wide, deep and crossed.

Each shape is a function from a number of definitions to the files of a repository, by path; `SHAPES` holds them with
their language. `benchmarks/graph_doubling.py` times them, the tests resolve them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Files = dict[str, str]
Shape = Callable[[int], Files]


def py_recursion(number: int) -> Files:
    """Functions that call the next, themselves and what they are given, in one ring."""
    lines = [
        f"def f{n}(run, times):\n    run()\n    f{n}(f{n}, times - 1)\n    return f{(n + 1) % number}(run, times)\n"
        for n in range(number)
    ]
    return {"m.py": "".join(lines)}


def py_imports(number: int) -> Files:
    """Modules in a ring, each importing from the next and the one before, by name and by star."""
    return {
        f"app/m{n}.py": f"from app.m{(n + 1) % number} import *\nfrom app import m{(n - 1) % number} as before\n"
        f"def own{n}():\n    own{(n + 2) % number}()\n    before.own{(n - 1) % number}()\n"
        for n in range(number)
    }


def py_bases(number: int) -> Files:
    """One class with many bases, and as many calls on it."""
    bases = "".join(f"class B{n}:\n    def m(self): self.own{n}()\n    def own{n}(self): pass\n" for n in range(number))
    calls = "".join(f"def use{n}(c: C): c.own{n}(); c.m()\n" for n in range(number))
    return {"m.py": f"{bases}class C({', '.join(f'B{n}' for n in range(number))}):\n    pass\n{calls}"}


def py_chain(number: int) -> Files:
    """A chain of classes; each overrides a method, calls it on itself and the one above."""
    first = "class C0:\n    def m(self): self.m()\n"
    rest = "".join(
        f"class C{n}(C{n - 1}):\n    def m(self):\n        super().m()\n        self.m()\n        self.own{n}()\n"
        f"    def own{n}(self): self.m()\n"
        for n in range(1, number)
    )
    return {"m.py": first + rest}


def py_subclasses(number: int) -> Files:
    """One base, many classes below it that override its method, and as many calls through the base."""
    below = "".join(f"class C{n}(Base):\n    def m(self): pass\n" for n in range(number))
    calls = "".join(f"def use{n}(base: Base):\n    base.m()\n" for n in range(number))
    return {"m.py": f"class Base:\n    def m(self): raise NotImplementedError\n{below}{calls}"}


def py_ladder(number: int) -> Files:
    """Diamond upon diamond, a method overridden on every side."""
    parts = ["class A0:\n    def m(self): pass\n"]
    for n in range(number):
        parts.append(
            f"class L{n}(A{n}):\n    def m(self): super().m()\nclass R{n}(A{n}):\n    def m(self): super().m()\n"
        )
        parts.append(f"class A{n + 1}(L{n}, R{n}):\n    def m(self): super().m()\n")
    return {"m.py": "".join(parts) + f"A{number}().m()\n"}


def py_crossed(number: int) -> Files:
    """Every two classes are the bases of the next, in both orders: most have no resolution order."""
    parts = ["class C0:\n    def m(self): pass\nclass C1:\n    def m(self): pass\n"]
    parts += [f"class C{n}(C{n - 2}, C{n - 1}):\n    def m(self): super().m()\n" for n in range(2, number)]
    return {"m.py": "".join(parts) + f"C{number - 1}().m()\n"}


def py_conditional(number: int) -> Files:
    """One name defined under many conditions, and used as often."""
    lines = "".join(f"if flag == {n}:\n    def f(g): return g()\n" for n in range(number))
    return {"m.py": lines + "".join(f"def use{n}(): return f(use{n})\n" for n in range(number))}


def ts_recursion(number: int) -> Files:
    """Functions in a ring across files that import each other through a barrel."""
    files = {"src/index.ts": "".join(f"export * from './m{n}'\n" for n in range(number))}
    for n in range(number):
        after = (n + 1) % number
        files[f"src/m{n}.ts"] = (
            f"import {{ f{after} }} from './index'\n"
            f"export function f{n}(run: () => void): void {{ run(); f{n}(run); f{after}(() => run()) }}\n"
        )
    return files


def ts_implementors(number: int) -> Files:
    """One interface, many classes that implement it, as many calls through it."""
    below = "".join(f"export class C{n} implements Store {{ put(): void {{}} }}\n" for n in range(number))
    calls = "".join(f"export function use{n}(store: Store) {{ store.put() }}\n" for n in range(number))
    return {"m.ts": f"export interface Store {{ put(): void }}\n{below}{calls}"}


def ts_chain(number: int) -> Files:
    """A chain of classes across files; each overrides a method and calls it."""
    files = {"src/m0.ts": "export class C0 { m(): void { this.m() } }\n"}
    for n in range(1, number):
        files[f"src/m{n}.ts"] = (
            f"import {{ C{n - 1} }} from './m{n - 1}'\n"
            f"export class C{n} extends C{n - 1} {{ m(): void {{ super.m(); this.m() }} }}\n"
        )
    return files


def js_imports(number: int) -> Files:
    """Modules that require each other in a ring and re-export everything."""
    return {
        f"m{n}.js": f"const next = require('./m{(n + 1) % number}')\n"
        f"function own{n}() {{ next.own{(n + 1) % number}() }}\nmodule.exports = {{ ...next, own{n} }}\n"
        for n in range(number)
    }


def go_implementors(number: int) -> Files:
    """Many types that satisfy one interface, as many calls through it; embedding in a chain."""
    below = "".join(f"type C{n} struct {{ C{n - 1} }}\nfunc (c C{n}) Put() {{ }}\n" for n in range(1, number))
    calls = "".join(f"func use{n}(s Store) {{ s.Put(); use{(n + 1) % number}(s) }}\n" for n in range(number))
    head = "package m\ntype Store interface { Put() }\ntype C0 struct { }\nfunc (c C0) Put() { }\n"
    return {"go.mod": "module example.org/m\n", "m.go": head + below + calls}


def go_interfaces(number: int) -> Files:
    """Many interfaces with many methods, each satisfied by many types."""
    methods = "".join(f"func (c C) M{n}() {{ }}\n" for n in range(number))
    faces = "".join(f"type I{n} interface {{ M{n}(); M{(n + 1) % number}() }}\n" for n in range(number))
    calls = "".join(f"func use{n}(i I{n}) {{ i.M{n}() }}\n" for n in range(number))
    return {"go.mod": "module example.org/m\n", "m.go": f"package m\ntype C struct {{ }}\n{methods}{faces}{calls}"}


def rust_implementors(number: int) -> Files:
    """One trait, many impls, as many calls through it; modules that use each other."""
    below = "".join(f"pub struct C{n};\nimpl Store for C{n} {{ fn put(&self) {{ }} }}\n" for n in range(number))
    calls = "".join(f"pub fn use{n}(s: &dyn Store) {{ s.put(); crate::b::take{n}(s); }}\n" for n in range(number))
    takes = "".join(f"pub fn take{n}(s: &dyn Store) {{ crate::a::use{n}(s); }}\n" for n in range(number))
    return {
        "Cargo.toml": '[package]\nname = "m"\n',
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"pub trait Store {{ fn put(&self); }}\n{below}{calls}",
        "src/b.rs": f"use crate::a::Store;\n{takes}",
    }


def java_implementors(number: int) -> Files:
    """One interface, many classes that implement it, as many calls through it."""
    files = {"m/Store.java": "package m;\npublic interface Store { void put(); }\n"}
    for n in range(number):
        files[f"m/C{n}.java"] = f"package m;\npublic class C{n} implements Store {{ public void put() {{ }} }}\n"
    uses = "".join(
        f"  void use{n}(Store store) {{ store.put(); use{(n + 1) % number}(store); }}\n" for n in range(number)
    )
    return files | {"m/Use.java": f"package m;\nclass Use {{\n{uses}}}\n"}


def java_chain(number: int) -> Files:
    """A chain of classes and one of interfaces, a method overridden in each and called on itself."""
    files = {"m/C0.java": "package m;\npublic class C0 implements I0 { public void m() { this.m(); } }\n"}
    files["m/I0.java"] = "package m;\npublic interface I0 { void m(); }\n"
    for n in range(1, number):
        files[f"m/I{n}.java"] = f"package m;\npublic interface I{n} extends I{n - 1} {{ void m(); }}\n"
        files[f"m/C{n}.java"] = (
            f"package m;\npublic class C{n} extends C{n - 1} implements I{n} {{\n"
            "  public void m() { super.m(); this.m(); }\n}\n"
        )
    return files


def java_overloads(number: int) -> Files:
    """One method under one name for many types, and as many calls."""
    methods = "".join(f"  void put(T{n} value) {{ }}\n  static class T{n} {{ }}\n" for n in range(number))
    calls = "".join(f"  void use{n}(T{n} value) {{ put(value); }}\n" for n in range(number))
    return {"m/Use.java": f"package m;\nclass Use {{\n{methods}{calls}}}\n"}


SHAPES: Mapping[str, tuple[str, Shape]] = {
    "recursion": ("python", py_recursion), "imports in a ring": ("python", py_imports),
    "bases": ("python", py_bases), "chain": ("python", py_chain), "subclasses": ("python", py_subclasses),
    "ladder": ("python", py_ladder), "crossed": ("python", py_crossed), "conditional": ("python", py_conditional),
    "recursion (TS)": ("typescript", ts_recursion), "implementors (TS)": ("typescript", ts_implementors),
    "chain (TS)": ("typescript", ts_chain), "imports (JS)": ("javascript", js_imports),
    "implementors (Go)": ("go", go_implementors), "interfaces (Go)": ("go", go_interfaces),
    "implementors (Rust)": ("rust", rust_implementors), "implementors (Java)": ("java", java_implementors),
    "chain (Java)": ("java", java_chain), "overloads (Java)": ("java", java_overloads),
}  # fmt: skip
"""Every shape by name, with its language."""
