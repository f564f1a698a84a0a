"""Sources whose size grows with one number: constructs that multiply where a resolver is careless, by language.

`GENERATORS` maps a name to a function from the number to the files, path → text. Each is code that a program might
have generated; all of them are linear in the number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

Files = dict[str, str]
Generator = Callable[[int], Files]

GENERATORS: dict[str, Generator] = {}


def generator(make: Generator) -> Generator:
    """Register a generator under its function's name."""
    GENERATORS[make.__name__] = make
    return make


def _each(n: int, line: Callable[[int], str]) -> str:
    return "".join(line(i) for i in range(n))


def _joined(separator: str, parts: Iterable[str]) -> str:
    return separator.join(parts)


# --------------------------------------------------------------------------- Python


@generator
def python_redefined_class(n: int) -> Files:
    """One class defined again and again, each calling the name."""
    return {"made.py": "class Node:\n    def walk(self):\n        return Node().walk()\n" * n}


@generator
def python_conditional_functions(n: int) -> Files:
    """One name imported or defined, n times over, and n calls of it."""
    text = _each(n, lambda i: f"try:\n    from lib{i} import load\nexcept ImportError:\n    def load(): return {i}\n")
    return {"made.py": text + "load()\n" * n}


@generator
def python_overloads(n: int) -> Files:
    """N signatures of one function, and n calls with different types."""
    head = "from typing import overload\n"
    signatures = _each(n, lambda i: f"class Kind{i}: pass\n@overload\ndef make(x: Kind{i}) -> Kind{(i + 1) % n}: ...\n")
    return {"made.py": head + signatures + "def make(x): return x\n" + _each(n, lambda i: f"make(Kind{i}())\n")}


@generator
def python_table_of_functions(n: int) -> Files:
    """A dict of n functions, and n calls of what is found in it."""
    functions = _each(n, lambda i: f"def act{i}(x): return x\n")
    table = "TABLE = {" + _each(n, lambda i: f"'k{i}': act{i}, ") + "}\n"
    calls = _each(n, lambda i: f"def use{i}(key): return TABLE[key](TABLE['k{i}'])\n")
    return {"made.py": functions + table + calls}


@generator
def python_passed_functions(n: int) -> Files:
    """N functions passed to one that calls what it is given."""
    head = "def run(action): return action(run)\n"
    return {"made.py": head + _each(n, lambda i: f"def act{i}(x): return run(act{i})\n")}


@generator
def python_same_methods(n: int) -> Files:
    """N classes with the same methods, and n receivers that may be any of them."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self, other): return other.run(self)\n")
    calls = _each(n, lambda i: f"def use{i}(part): return part.run(Part{i}())\nuse{i}(Part{(i + 1) % n}())\n")
    return {"made.py": classes + calls}


@generator
def python_one_field(n: int) -> Files:
    """N values stored into one field, and n methods that call it."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): pass\n")
    methods = _each(n, lambda i: f"    def set{i}(self):\n        self.part = Part{i}()\n        self.part.run()\n")
    return {"made.py": classes + "class Whole:\n" + methods}


@generator
def python_filled_classes(n: int) -> Files:
    """N classes that extend a container in chains, store items, and have a method that stores members."""
    head = (
        "class Part0(dict):\n    @property\n    def size(self): pass\n    @size.setter\n    def size(self, n): pass\n"
    )
    body = "    def __setattr__(self, name, value): super().__setattr__(name, value)\n"
    body += "    def fill(self):\n        self['a'] = self\n        self.size = self.keys()\n"
    return {"made.py": head + _each(n, lambda i: f"class Part{i + 1}(Part{i if i % 9 else 0}):\n{body}")}


@generator
def python_ladder(n: int) -> Files:
    """A chain of n subclasses, each calling the method above."""
    head = "class Step0:\n    def run(self): self.go()\n    def go(self): pass\n"
    body = "    def run(self): super().run()\n    def go(self): self.run()\n"
    return {"made.py": head + _each(n, lambda i: f"class Step{i + 1}(Step{i}):\n{body}")}


@generator
def python_diamonds(n: int) -> Files:
    """Diamonds of inheritance, one on top of another."""
    return {
        "made.py": "class Top0:\n    def run(self): pass\n"
        + _each(
            n,
            lambda i: (
                f"class Left{i}(Top{i}):\n    def run(self): super().run()\n"
                f"class Right{i}(Top{i}):\n    def run(self): super().run()\n"
                f"class Top{i + 1}(Left{i}, Right{i}):\n    def run(self): super().run()\n"
            ),
        )
    }


@generator
def python_wide_base(n: int) -> Files:
    """N classes below one, each implementing its method, and n calls through the base."""
    head = "class Base:\n    def run(self): raise NotImplementedError\n"
    classes = _each(n, lambda i: f"class Part{i}(Base):\n    def run(self): pass\n")
    return {"made.py": head + classes + _each(n, lambda i: f"def use{i}(part: Base): part.run()\n")}


@generator
def python_excluded_types(n: int) -> Files:
    """One parameter that n tests exclude from n classes one after the other, and a call behind each of them."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): pass\n")
    tests = _each(n, lambda i: f"    if isinstance(part, Part{i}): return\n    part.run()\n")
    return {"made.py": f"{classes}def use(part):\n{tests}" + _each(n, lambda i: f"use(Part{i}())\n")}


@generator
def python_many_bases(n: int) -> Files:
    """One class with n bases that share a method, and n calls of it."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): super().run()\n")
    whole = "class Whole(" + _joined(", ", (f"Part{i}" for i in range(n))) + "):\n    def run(self): super().run()\n"
    return {"made.py": classes + whole + "Whole().run()\n" * n}


@generator
def python_star_chain(n: int) -> Files:
    """N modules, each taking all names of the one before and adding one."""
    files = {f"made{i}.py": f"from made{i - 1} import *\ndef act{i}(): return act{i - 1}()\n" for i in range(1, n)}
    return {"made0.py": "def act0(): pass\n", **files, "last.py": f"from made{n - 1} import *\nact0()\n"}


@generator
def python_star_fan(n: int) -> Files:
    """One module that takes all names of n others, and n names looked up in it."""
    files = {f"made{i}.py": f"def act{i}(): pass\n" for i in range(n)}
    last = _each(n, lambda i: f"from made{i} import *\n") + _each(n, lambda i: f"act{i}()\nmissing{i}()\n")
    return {**files, "last.py": last}


@generator
def python_reassigned_name(n: int) -> Files:
    """A name bound anew on n lines, and used on each."""
    functions = _each(n, lambda i: f"def act{i}(): pass\n")
    return {"made.py": functions + _each(n, lambda i: f"step = act{i}\nstep()\n") + "def use(): step()\n"}


@generator
def python_branches(n: int) -> Files:
    """A variable that n branches give different values, and n uses of it."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): pass\n")
    text = "def use(x):\n    part = None\n" + _each(n, lambda i: f"    if x == {i}: part = Part{i}()\n")
    return {"made.py": classes + text + "    part.run()\n" * n}


@generator
def python_protocols(n: int) -> Files:
    """N protocols that each of n classes has the method of."""
    head = "from typing import Protocol\n"
    protocols = _each(n, lambda i: f"class Can{i}(Protocol):\n    def run_it(self): ...\n")
    classes = _each(n, lambda i: f"class Part{i}:\n    def run_it(self): pass\ndef use{i}(x: Can{i}): x.run_it()\n")
    return {"made.py": head + protocols + classes}


@generator
def python_nested_calls(n: int) -> Files:
    """Calls as arguments of calls, 50 deep, on n / 50 lines."""
    line = "f(" * 50 + "1" + ")" * 50 + "\n"
    return {"made.py": "def f(x): return x\n" + line * max(n // 50, 1)}


@generator
def python_deep_expression(n: int) -> Files:
    """One expression n calls deep."""
    return {"made.py": "def f(x): return x\n" + "f(\n" * n + "1" + ")\n" * n}


@generator
def python_long_chain(n: int) -> Files:
    """One expression of n calls in a row."""
    return {"made.py": "class Q:\n    def where(self, x): return self\n(Q()\n" + ".where(1)\n" * n + ")\n"}


@generator
def python_nested_literal(n: int) -> Files:
    """Lists in lists in lists."""
    return {"made.py": "TREE = " + "[\n" * n + "]\n" * n}


@generator
def python_big_literal(n: int) -> Files:
    """A table of n rows of data."""
    return {
        "made.py": "TABLE = [\n"
        + _each(n, lambda i: f"    ('name{i}', {i}, {{'a': [{i}, {i}], 'b': None}}),\n")
        + "]\n"
    }


@generator
def python_tested_name(n: int) -> Files:
    """A name whose type is tested n times, with a read in each test and one behind it."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def act{i}(self): pass\n")
    tests = _each(n, lambda i: f"    if isinstance(x, Part{i}):\n        x.act{i}()\n    x.act{i}()\n")
    return {"made.py": f"{classes}def use(x):\n{tests}"}


@generator
def python_same_functions(n: int) -> Files:
    """N modules with a function of one name, and n calls of that name on who knows what."""
    return {f"made{i}.py": "def act(x): return x.act()\nclass Part:\n    def act(self): pass\n" for i in range(n)}


@generator
def python_annotated_union(n: int) -> Files:
    """A type that is one of n classes, and n calls of a method they share."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): pass\n")
    union = "Any = " + _joined(" | ", (f"Part{i}" for i in range(n))) + "\n"
    return {"made.py": classes + union + _each(n, lambda i: f"def use{i}(part: Any): part.run()\n")}


@generator
def python_handed_returns(n: int) -> Files:
    """N functions that return what a function gives back that they call with their argument."""
    functions = _each(n, lambda i: f"def give{i}(x):\n    return keep(x)\n")
    return {"made.py": f"def keep(x):\n    return x\n{functions}"}


@generator
def python_returned_classes(n: int) -> Files:
    """A function that may give any of n instances, and n calls of their method."""
    classes = _each(n, lambda i: f"class Part{i}:\n    def run(self): pass\n")
    function = "def make(x):\n" + _each(n, lambda i: f"    if x == {i}: return Part{i}()\n")
    return {"made.py": classes + function + _each(n, lambda i: f"def use{i}(): make({i}).run()\n")}


# --------------------------------------------------------------------------- JavaScript


@generator
def javascript_redeclared_function(n: int) -> Files:
    """One function declared n times, each calling the name."""
    return {"made.js": "function next(a) { return next(a); }\n" * n}


@generator
def javascript_reassigned_members(n: int) -> Files:
    """A variable given n functions, with a member that calls it each time."""
    return {
        "made.js": "var app = function () { return app.core.go(); };\n"
        "app.core = { go: function () { return app(); } };\n" * n
    }


@generator
def javascript_prototype_ladder(n: int) -> Files:
    """A chain of n prototypes, each calling the one below."""
    return {
        "made.js": _each(
            n,
            lambda i: (
                f"function Step{i}() {{}}\nStep{i}.prototype = Object.create(Step{max(i - 1, 0)}.prototype);\n"
                f"Step{i}.prototype.run = function () {{ return Step{max(i - 1, 0)}.prototype.run.call(this); }};\n"
            ),
        )
    }


@generator
def javascript_table_of_functions(n: int) -> Files:
    """An object of n functions, and n calls of what is found in it."""
    table = "const table = {\n" + _each(n, lambda i: f"  k{i}(x) {{ return table[x](x); }},\n") + "};\n"
    return {"made.js": table + _each(n, lambda i: f"function use{i}(k) {{ return table[k](table.k{i}); }}\n")}


@generator
def javascript_reexports(n: int) -> Files:
    """N modules, each passing on all names of the one before and adding one."""
    files = {f"made{i}.js": f"export * from './made{i - 1}.js';\nexport function act{i}() {{}}\n" for i in range(1, n)}
    last = f"import {{ act0, act{n - 1} }} from './made{n - 1}.js';\nact0(); act{n - 1}();\n"
    return {"made0.js": "export function act0() {}\n", **files, "last.js": last}


@generator
def javascript_long_chain(n: int) -> Files:
    """One promise with n steps."""
    return {
        "made.js": "function go() { return fetch('x')\n"
        + _each(n, lambda i: f"  .then((r{i}) => go(r{i}))\n")
        + "; }\n"
    }


@generator
def javascript_nested_functions(n: int) -> Files:
    """Functions in functions in functions, each calling the first."""
    return {"made.js": "function f() {\n" * n + "f();" + "\n}" * n + "\n"}


# --------------------------------------------------------------------------- TypeScript


@generator
def typescript_merged_interface(n: int) -> Files:
    """One interface declared in n parts, and n functions that use it."""
    parts = _each(n, lambda i: f"interface Wide {{ m{i}(x: Wide): Wide }}\n")
    return {"made.ts": parts + _each(n, lambda i: f"function f{i}(w: Wide) {{ return w.m{i}(w).m{(i + 1) % n}(w) }}\n")}


@generator
def typescript_overloads(n: int) -> Files:
    """N signatures of one function over n types, and n nested calls."""
    parts = _each(
        n,
        lambda i: (
            f"export interface Kind{i} {{ run(): Kind{(i + 1) % n} }}\n"
            f"export function make(x: Kind{i}): Kind{(i + 1) % n};\n"
        ),
    )
    calls = _each(n, lambda i: f"export function use{i}(k: Kind{i}) {{ make(make(k)).run() }}\n")
    return {"made.ts": parts + "export function make(x: any): any { return x }\n" + calls}


@generator
def typescript_union(n: int) -> Files:
    """A type that is one of n, and n calls of a method they share."""
    parts = _each(n, lambda i: f"class Part{i} {{ run(): Any {{ return this }} }}\n")
    union = "type Any = " + _joined(" | ", (f"Part{i}" for i in range(n))) + ";\n"
    return {"made.ts": parts + union + _each(n, lambda i: f"function use{i}(p: Any) {{ return p.run().run() }}\n")}


@generator
def typescript_merged_namespace(n: int) -> Files:
    """One namespace in n parts, each using what the one before exports."""
    return {
        "made.ts": _each(
            n,
            lambda i: f"namespace Deep {{ export function act{i}() {{ return Deep.act{max(i - 1, 0)}() }} }}\n",
        )
    }


@generator
def typescript_implementers(n: int) -> Files:
    """N classes with n interfaces of one method, and n calls through them."""
    return {
        "made.ts": _each(
            n,
            lambda i: (
                f"interface Can{i} extends Can{max(i - 1, 0)} {{ run(x: Can{i}): void }}\n"
                f"class Part{i} implements Can{i} {{ run(x: Can{i}) {{ x.run(this) }} }}\n"
            ),
        )
    }


@generator
def typescript_import_patterns(n: int) -> Files:
    """N imports beside a tsconfig of 10 n names, a pattern of n places, and a package with 4 n entries of two kinds."""
    paths = {f"k{i}/*": ["src/*"] for i in range(10 * n)} | {"*": [f"s{i}/*" for i in range(n)]}
    entries = {f"k{i}/*": f"./src/{i}/*" for i in range(4 * n)}
    package = {
        "name": "own", "exports": {f"./{name}": place for name, place in entries.items()},
        "imports": {f"#{name}": place for name, place in entries.items()},
    }  # fmt: skip
    return {
        "made.ts": _each(n, lambda i: f'import x{i} from "{("lib", "own/lib", "#lib")[i % 3]}{i}/x";\nx{i}();\n'),
        "tsconfig.json": json.dumps({"compilerOptions": {"paths": paths}}),
        "package.json": json.dumps(package),
    }


@generator
def python_long_toml_key(n: int) -> Files:
    """A function beside a pyproject.toml whose one key has 30 n parts."""
    return {"made.py": "def act(): pass\n" * n, "pyproject.toml": "a." * 30 * n + "a = 1\n"}


# --------------------------------------------------------------------------- Go


@generator
def go_embedded_interfaces(n: int) -> Files:
    """Interfaces that embed the six before them, and one type that has all methods."""
    interfaces = _each(
        n,
        lambda i: (
            f"type Can{i} interface {{ "
            + _joined("; ", (f"Can{j}" for j in range(max(0, i - 6), i)))
            + f"; Do{i}() }}\n"
        ),
    )
    methods = _each(n, lambda i: f"func (p Part) Do{i}() {{}}\n")
    uses = _each(n, lambda i: f"func use{i}(x Can{i}) {{ x.Do{i // 2}() }}\n")
    return {
        "go.mod": "module example.org/made\n",
        "made.go": f"package made\n{interfaces}type Part struct{{}}\n{methods}{uses}",
    }


@generator
def go_satisfied_interfaces(n: int) -> Files:
    """N interfaces of one method that n types have, and n calls."""
    return {
        "go.mod": "module example.org/made\n",
        "made.go": "package made\n"
        + _each(
            n,
            lambda i: (
                f"type Can{i} interface {{ Run() }}\ntype Part{i} struct{{}}\nfunc (p Part{i}) Run() {{}}\n"
                f"func use{i}(x Can{i}) {{ x.Run() }}\n"
            ),
        ),
    }


@generator
def go_registered_functions(n: int) -> Files:
    """A map of n functions, n functions called init, and n calls by key."""
    functions = _each(n, lambda i: f"func act{i}(x int) int {{ return table[x](x) }}\nfunc init() {{ act{i}({i}) }}\n")
    table = "var table = map[int]func(int) int{" + _each(n, lambda i: f"{i}: act{i}, ") + "}\n"
    return {"go.mod": "module example.org/made\n", "made.go": "package made\n" + functions + table}


@generator
def go_defined_types(n: int) -> Files:
    """A chain of n types, each defined by the one before, and code that calls, loops over and stores into the last."""
    types = "type T0 []func()\n" + "".join(f"type T{i} T{i - 1}\n" for i in range(1, n))
    use = f"func use(x T{n - 1}) {{ x[0] = nil; x(); for _, each := range x {{ each() }} }}\n"
    return {"go.mod": "module example.org/made\n", "made.go": f"package made\n{types}{use}"}


# --------------------------------------------------------------------------- Rust

_CARGO = '[package]\nname = "made"\n'


@generator
def rust_trait_ring(n: int) -> Files:
    """N traits in a ring of supertraits, each implemented for whatever has another."""
    text = _each(
        n,
        lambda i: (
            f"pub trait Can{i}: Can{(i + 1) % n} {{ fn do{i}(&self) {{ self.do{(i + 1) % n}() }} }}\n"
            f"impl<T> Can{i} for T where T: Can{(i + 2) % n} {{ }}\n"
        ),
    )
    return {"Cargo.toml": _CARGO, "src/lib.rs": text}


@generator
def rust_one_trait(n: int) -> Files:
    """N types with one trait, and n calls through it."""
    text = _each(
        n,
        lambda i: (
            f"struct Part{i};\nimpl Run for Part{i} {{ fn run(&self) {{}} }}\nfn use{i}(x: &dyn Run) {{ x.run(); }}\n"
        ),
    )
    return {"Cargo.toml": _CARGO, "src/lib.rs": "trait Run { fn run(&self); }\n" + text}


@generator
def rust_conditional_functions(n: int) -> Files:
    """One function behind n features, and n calls."""
    text = _each(n, lambda i: f'#[cfg(feature = "f{i}")]\nfn load(x: u32) -> u32 {{ load(x) }}\n')
    return {"Cargo.toml": _CARGO, "src/lib.rs": text + _each(n, lambda i: f"fn use{i}() {{ load({i}); }}\n")}


@generator
def rust_impl_blocks(n: int) -> Files:
    """One type with n blocks of methods, of which one name is in all."""
    text = _each(
        n, lambda i: f"impl From<K{i}> for Part {{ fn from(x: K{i}) -> Part {{ Part::from(x) }} }}\nstruct K{i};\n"
    )
    return {"Cargo.toml": _CARGO, "src/lib.rs": "struct Part;\n" + text}


# --------------------------------------------------------------------------- Java


@generator
def java_overloads(n: int) -> Files:
    """2n methods of one name and one number of parameters in one class, each calling it."""
    methods = _each(
        n,
        lambda i: (
            f"<T extends Use> Use put(T t, int... x{i}) {{ return put(put(t)); }}\n"
            f"Use put(String s, int[] a{i}, Use u) {{ return put(u); }}\n"
        ),
    )
    return {"made/Use.java": "package made;\nclass Use {\n" + methods + "}\n"}


@generator
def java_typed_overloads(n: int) -> Files:
    """N methods of one name over n types, and n calls."""
    types = _each(n, lambda i: f"class Kind{i} {{}}\n")
    methods = _each(n, lambda i: f"void visit(Kind{i} k) {{}}\nvoid use{i}(Kind{i} k) {{ visit(k); this.visit(k); }}\n")
    return {"made/Use.java": "package made;\n" + types + "class Use {\n" + methods + "}\n"}


@generator
def java_visitor(n: int) -> Files:
    """N node types that accept a visitor, which has a method for each, and n visitors' worth of calls."""
    nodes = _each(n, lambda i: f"class Node{i} extends Node {{ void accept(Visitor v) {{ v.visit{i}(this); }} }}\n")
    visitor = "interface Visitor {\n" + _each(n, lambda i: f"void visit{i}(Node{i} n);\n") + "}\n"
    base = "class Base implements Visitor {\n" + _each(
        n, lambda i: f"public void visit{i}(Node{i} n) {{ n.accept(this); go(n); }}\n"
    )
    head = "package made;\nabstract class Node { abstract void accept(Visitor v); }\n"
    return {"made/Node.java": head + nodes + visitor + base + "void go(Node n) { n.accept(this); }\n}\n"}


@generator
def java_interface_ladder(n: int) -> Files:
    """A chain of n interfaces, a class for each, and n calls."""
    text = _each(
        n,
        lambda i: (
            f"interface Can{i}" + (f" extends Can{i - 1}" if i else "") + " { void run(); }\n"
            f"class Part{i} implements Can{i} {{ public void run() {{}} void use(Can{i} c) {{ c.run(); }} }}\n"
        ),
    )
    return {"made/Made.java": "package made;\n" + text}


# --------------------------------------------------------------------------- the others


@generator
def c_prototypes(n: int) -> Files:
    """One function declared n times, defined in n branches, and called n times."""
    text = "int load(int x);\n" * n
    text += _each(n, lambda i: f"#ifdef F{i}\nint load(int x) {{ return x + {i}; }}\n#endif\n")
    return {"made.c": text + _each(n, lambda i: f"int use{i}(void) {{ return load({i}); }}\n")}


@generator
def c_specifiers(n: int) -> Files:
    """A macro whose body is n words that the language nearly knows, an error, for which macros are tried, and n lines.

    Without the lines the file would be left out as minified.
    """
    lines = _each(n, lambda i: f"int use{i}(int x);\n")
    return {"made.c": f"#define X {'__inline____inline ' * n}!\nint f(void) {{ return 1 }}\n{lines}"}


@generator
def cpp_overloads(n: int) -> Files:
    """N functions of one name over n types, and n calls."""
    text = _each(n, lambda i: f"struct Kind{i} {{}};\nvoid visit(Kind{i} k) {{ }}\n")
    return {"made.cpp": text + _each(n, lambda i: f"void use{i}(Kind{i} k) {{ visit(k); }}\n")}


@generator
def csharp_partial_class(n: int) -> Files:
    """One class in n parts with an overload in each, and n calls."""
    text = _each(
        n, lambda i: f"partial class Whole {{ void Put(K{i} x) {{ Put(x); this.Put(x); }} }}\nclass K{i} {{}}\n"
    )
    return {"Made.cs": "namespace Made {\n" + text + "}\n"}


@generator
def csharp_extension_heads(n: int) -> Files:
    """A type with an extension block, n heads of others in a comment, and n that never open."""
    heads = "/*" + "extension(Box box) {\n" * n + "*/\n" + "// extension<>\n" * n
    block = "static class More { extension(Box box) { public int Size() => 1; } }\nclass Box {}\n"
    return {"Made.cs": heads + block + "class Use { int Go(Box box) => box.Size(); }\n"}


@generator
def ruby_reopened_class(n: int) -> Files:
    """One class opened n times, which defines a method anew and calls it."""
    return {"made.rb": "class Whole\n  def run(x)\n    Whole.new.run(x)\n  end\nend\n" * n}


@generator
def php_conditional_functions(n: int) -> Files:
    """One function defined if it is not there, n times over, and n calls."""
    text = _each(n, lambda i: f"if (!function_exists('load{i % 1}')) {{ function load($x) {{ return load({i}); }} }}\n")
    return {"made.php": "<?php\n" + text}


@generator
def php_nested_loops(n: int) -> Files:
    """Loops in loops, each over the variable of the one around."""
    loops = _each(n, lambda i: f"foreach ($x{i} as $x{i + 1}) {{ ")
    return {"made.php": f"<?php\nfunction walk($x0) {{ {loops}{'}' * n} }}\n"}


@generator
def kotlin_extensions(n: int) -> Files:
    """N functions of one name that extend n types, and n calls."""
    text = _each(n, lambda i: f"class Kind{i}\nfun Kind{i}.go(x: Kind{i}): Kind{i} = x.go(this)\n")
    return {"Made.kt": "package made\n" + text}


@generator
def scala_traits(n: int) -> Files:
    """A chain of n traits with one method, each mixed into a class."""
    text = _each(
        n,
        lambda i: (
            f"trait Can{i}" + (f" extends Can{i - 1}" if i else "") + " { def run(): Unit = run() }\n"
            f"class Part{i} extends Can{i} {{ override def run(): Unit = super.run() }}\n"
        ),
    )
    return {"Made.scala": "package made\n" + text}


@generator
def swift_extensions(n: int) -> Files:
    """One type with n extensions, each adding an overload and calling it."""
    text = _each(n, lambda i: f"struct Kind{i} {{}}\nextension Whole {{ func put(_ x: Kind{i}) {{ put(x) }} }}\n")
    return {"Made.swift": "struct Whole {}\n" + text}


@generator
def swift_tuple(n: int) -> Files:
    """A tuple of n parts, taken apart into names."""
    return {"Made.swift": f"func walk() {{ let ({_joined(', ', (f'x{i}' for i in range(n)))}) = make() }}\n"}
