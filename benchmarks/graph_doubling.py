"""How resolution grows: each language's input doubled several times, and the ratio of the times.

usage: python benchmarks/graph_doubling.py [--start N] [--doublings K] [--shapes [NAME …]]

Every round has twice as many modules as the one before, and the modules call, inherit from and import each other. A
ratio near 2 is linear growth, near 4 quadratic. Machines are shared: CPU seconds of this process are counted.

--shapes takes awkward shapes instead (`tests/graph_shapes.py`): rings, and hierarchies wide, deep and crossed. Where n
calls may reach n methods there are n² edges, until `MAX_DESCENDANTS` types below one are looked through.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from graph_shapes import SHAPES, Files

from codeexplore.graph.build.resolve import resolve
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile


def python(number: int) -> Files:
    """Classes that inherit across modules, functions that hand each other around, decorators."""
    files = {}
    for n in range(number):
        before = max(n - 1, 0)
        files[f"app/m{n}.py"] = (
            f"from app.m{before} import Shape{before}, make{before}\n"
            * (n > 0)
            + f"class Shape{n}({f'Shape{before}' if n % 10 else ''}):\n"
            f"    def __init__(self, other=None):\n        self.other = other or Shape{n}(1)\n"
            f"    def area(self):\n        return self.other.area() + self.step{n}()\n"
            f"    def step{n}(self):\n        return [s.area() for s in (self, self.other)]\n"
            f"def make{n}(run=lambda shape: shape.area()):\n    shape = Shape{n}()\n    run(shape)\n"
            + f"    make{before}(lambda s: s.step{before}())\n" * (n > 0)
            + "    return shape\n"
        )
    return files


def typescript(number: int) -> Files:
    """Classes behind interfaces, callbacks, a barrel."""
    files = {"src/index.ts": "".join(f"export * from './m{n}'\n" for n in range(number))}
    for n in range(number):
        before = max(n - 1, 0)
        files[f"src/m{n}.ts"] = (
            f"import {{ make{before} }} from './index'\n"
            f"export interface Store{n} {{ get{n}(key: string): number; put(value: number): void }}\n"
            f"export class Memory{n} implements Store{n} {{\n  private items = new Map<string, Memory{n}>()\n"
            f"  get{n}(key: string) {{ return this.items.get(key)!.get{n}(key) }}\n  put(value: number) {{ }}\n}}\n"
            f"export function make{n}(then = (s: Store{n}) => s.put(1)): Store{n} {{\n"
            f"  const made = new Memory{n}()\n  then(made)\n  make{before}().put(2)\n  return made\n}}\n"
        )
    return files


def go(number: int) -> Files:
    """Structs that satisfy interfaces of other packages, embedding, functions as values."""
    files = {"go.mod": "module example.org/app\n"}
    for n in range(number):
        before = max(n - 1, 0)
        files[f"m{n}/m{n}.go"] = (
            f"package m{n}\n"
            + f'import "example.org/app/m{before}"\n' * (n > 0)
            + f"type Runner interface {{ Run{n}(int) error }}\n"
            f"type Job struct {{ next Runner{f'; m{before}.Base' if n else ''} }}\n"
            "type Base struct { count int }\nfunc (b *Base) Count() int { return b.count }\n"
            f"func (j *Job) Run{n}(times int) error {{ return j.next.Run{n}(times - 1) }}\n"
            f"func New() *Job {{ job := &Job{{}}; each(job.Run{n}); "
            + f"m{before}.New(); " * (n > 0)
            + "return job }\nfunc each(f func(int) error) { f(1) }\n"
        )
    return files


def rust(number: int) -> Files:
    """Traits with impls in other modules, generics, builders."""
    files = {"Cargo.toml": '[package]\nname = "app"\n', "src/lib.rs": ""}
    for n in range(number):
        before = max(n - 1, 0)
        files["src/lib.rs"] += f"pub mod m{n};\n"
        files[f"src/m{n}.rs"] = (
            f"use crate::m{before}::Shape{before};\n"
            * (n > 0)
            + f"pub trait Shape{n} {{ fn area{n}(&self) -> u32; fn twice(&self) -> u32 {{ self.area{n}() * 2 }} }}\n"
            f"pub struct Square {{ side: u32 }}\nimpl Square {{ pub fn new() -> Self {{ Square {{ side: 1 }} }} }}\n"
            f"impl Shape{n} for Square {{ fn area{n}(&self) -> u32 {{ self.side }} }}\n"
            + f"impl Shape{before} for Square {{ fn area{before}(&self) -> u32 {{ self.area{n}() }} }}\n"
            * (n > 0)
            + f"pub fn total(shapes: &[Box<dyn Shape{n}>]) -> u32 {{ shapes.iter().map(|s| s.area{n}()).sum() }}\n"
            "pub fn make() -> u32 { let s = Square::new(); s.twice() }\n"
        )
    return files


def java(number: int) -> Files:
    """Interfaces, overloads, anonymous classes and lambdas across packages."""
    files = {}
    for n in range(number):
        before = max(n - 1, 0)
        above = f" extends org.app.m{before}.Base" if n % 10 else ""
        files[f"src/org/app/m{n}/Base.java"] = (
            f"package org.app.m{n};\nimport java.util.*;\npublic class Base{above} {{\n"
            f"  interface Rule {{ boolean check{n}(Base base); }}\n  private List<Rule> rules = new ArrayList<>();\n"
            f"  public void add(Rule rule) {{ rules.add(rule); }}\n  public void add(int times) {{ add(b -> true); }}\n"
            f'  public boolean run{n}() {{ for (Rule r : rules) r.check{n}(this); return helper(1) && helper("a"); }}\n'
            "  boolean helper(int a) { return true; }\n  boolean helper(String a) { return false; }\n"
            f"  static Base make() {{ Base base = new Base(); base.add(3); base.run{n}(); return base; }}\n}}\n"
        )
    return files


LANGUAGES: dict[str, Callable[[int], Files]] = {
    "python": python, "typescript": typescript, "go": go, "rust": rust, "java": java,
}  # fmt: skip


def seconds(language: str, files: Files) -> tuple[float, int, int]:
    """CPU seconds of resolution alone, edges and lines."""
    layout = Layout(frozenset(files))
    sources = {path: text for path, text in files.items() if not path.endswith((".mod", ".toml"))}
    facts = [analyse(SourceFile(path, language, text, ""), layout).facts for path, text in sources.items()]
    gc.collect()
    started = time.process_time()
    made = resolve(facts)
    return time.process_time() - started, len(made.edges), sum(text.count("\n") for text in sources.values())


def main() -> None:
    """Print a row for each language and size."""
    parser = argparse.ArgumentParser(description="Resolution beside doubled input")
    parser.add_argument("--start", type=int, default=100, help="modules in the first round")
    parser.add_argument("--doublings", type=int, default=4)
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, metavar="NAME", help=f"of {', '.join(SHAPES)}; or all")
    options = parser.parse_args()
    chosen = {name: (name, write) for name, write in LANGUAGES.items()}
    if options.shapes is not None:
        chosen = {name: SHAPES[name] for name in options.shapes or SHAPES}
    print(f"{'what':20} {'number':>8} {'lines':>8} {'edges':>8} {'CPU s':>8} {'ratio':>6}")
    for name, (language, write) in chosen.items():
        before = 0.0
        for doubling in range(options.doublings + 1):
            number = options.start << doubling
            took, edges, lines = seconds(language, write(number))
            ratio = f"{took / before:6.2f}" if before else ""
            print(f"{name:20} {number:8} {lines:8} {edges:8} {took:8.2f} {ratio:>6}", flush=True)
            before = took


if __name__ == "__main__":
    main()
