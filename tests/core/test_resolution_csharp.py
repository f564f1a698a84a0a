"""C#: namespaces, local names, overloads, extension methods, partial types, and methods that are used as values."""

from __future__ import annotations

import pytest

from tests.graph_sources import edges, graph_of
from tests.resolved import Resolved

FOUND = {
    "a type of the global namespace": {
        "a.cs": "class Lamp { internal void Glow() {} }",
        "b.cs": "namespace Q { class B { void M() { new Lamp().Glow(); } } }",
    },
    "a type of a namespace around, by a part of its name": {
        "a.cs": "namespace Home.Light { class Lamp { internal void Glow() {} } }",
        "b.cs": "namespace Home.Rooms { class B { void M(Light.Lamp lamp) { lamp.Glow(); } } }",
    },
    "a whole name from the top": {
        "a.cs": "namespace Home.Light { class Lamp { internal void Glow() {} } }",
        "b.cs": "namespace Q { class B { void M() { new global::Home.Light.Lamp().Glow(); } } }",
    },
    "a type of one of several namespaces of a file": {
        "a.cs": "namespace Z { } namespace Home.Light { class Lamp { internal void Glow() {} } }",
        "b.cs": "using Home.Light;\nnamespace Q { class B { void M(Lamp lamp) { lamp.Glow(); } } }",
    },
    "an alias": {
        "a.cs": "namespace Home.Light { class Lamp { internal void Glow() {} } }",
        "b.cs": "using L = Home.Light.Lamp;\nnamespace Q { class B { void M(L lamp) { lamp.Glow(); } } }",
    },
    "an inherited member of another part": {
        "a.cs": "partial class Lamp { internal void Glow() {} }",
        "b.cs": "partial class Lamp { } class B : Lamp { void M() { Glow(); } }",
    },
    "an extension of an own type": {
        "a.cs": "namespace X { class Lamp {}\nstatic class E { internal static void Glow(this Lamp l, int n=1) {} } }",
        "b.cs": "using X;\nclass B { void M() { new Lamp().Glow(); } }",
    },
    "an extension of a literal": {
        "a.cs": "namespace X { static class E { internal static int Glow(this string text) => 1; } }",
        "b.cs": 'using X;\nclass B { void M() { "a".Glow(); } }',
    },
    "an inherited member whose base another part names": {
        "a.cs": "class Lamp { internal void Glow() {} } partial class B { }",
        "b.cs": "partial class B : Lamp { void M() { Glow(); } }",
    },
    "an inherited member of a type with a condition in its head": {
        "a.cs": "public partial class Lamp\n#if X\n    : IDisposable\n#endif\n{ internal void Glow() {} }",
        "b.cs": "class B : Lamp { void M() { Glow(); } }",
    },
    "an overload with an array for its last parameter": {
        "a.cs": "class Lamp { internal static void Dim<T>(string s, T one) {}\n"
        "internal static void Glow(string s, params int[] all) {} }",
        "b.cs": "class B { static int[] none = null; void M() { Lamp.Glow(\"\", none); } }",
    },
}  # fmt: skip


@pytest.mark.parametrize("files", FOUND.values(), ids=FOUND)
def test_a_name_means_what_the_specification_says(files: dict[str, str]) -> None:
    found = Resolved(files)
    assert any(target.endswith(".Glow") for source, target in found.pairs() if source.endswith("B.M")), found.pairs()


HIDDEN = {
    "out": "if (map.TryGetValue(1, out var Ring)) { Ring(); }",
    "deconstruction": "var (Ring, more) = pair; Ring();",
    "lambda": "all.ForEach(Ring => Ring());",
    "typed lambda": "all.ForEach((System.Action Ring) => Ring());",
    "pattern": "if (thing is System.Action Ring) { Ring(); }",
    "property pattern": "if (thing is { Name: System.Action Ring }) { Ring(); }",
    "loop": "foreach (var (Ring, more) in pairs) { Ring(); }",
    "query": "var q = from Ring in all select Ring();",
    "local function": "void Ring() {} Ring();",
    "parameter": "",
}


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_a_local_name_hides_a_method(body: str) -> None:
    head = "void One()" if body else "void One(System.Action Ring)"
    text = f"class Bell {{ static void Ring() {{ }}\n{head} {{ {body or 'Ring();'} }}\nvoid Two() {{ Ring(); }} }}"
    found = Resolved({"a.cs": text})
    assert [source for source, target in found.pairs() if target == "a.cs:Bell.Ring"] == ["a.cs:Bell.Two"]


@pytest.mark.parametrize(
    "use",
    ["Done += OnDone;", "Done -= OnDone;", "Take(OnDone);", "System.Action a = OnDone;", "Done = yes ? OnDone : null;",
     "new Timer(OnDone);", "return OnDone;", "var all = new[] { OnDone };"],
)  # fmt: skip
def test_a_method_that_is_used_as_a_value_has_a_use(use: str) -> None:
    found = Resolved({"a.cs": f"class A {{ void M() {{ {use} }}\nvoid OnDone() {{ }}\nvoid Other() {{ }} }}"})
    uses = {(found.short(e.source), found.short(e.target)) for e in found.graph.edges if e.kind == "USES"}
    assert ("a.cs:A.M", "a.cs:A.OnDone") in uses
    assert not any(target == "a.cs:A.Other" for _, target in uses)


def test_the_name_of_a_type_is_no_read_of_the_property_with_that_name() -> None:
    text = "enum Hue { Red }\nclass A { Hue hue; Hue Hue { get { return Hue.Red == hue ? hue : hue; } } }"
    assert [pair for pair in Resolved({"a.cs": text}).pairs() if pair[0] == pair[1]] == []


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("class A : Outer.List { void Add(int a, string b) { Add(a); } }", False),
        ("class A : Outer.List { void Add(string a) { int n = 1; Add(n); } }", False),
        ("class A : Outer.List { void Add(string a) { Add(a); } }", True),
        ("interface I { void Add(int a); } class A : I { void I.Add(int a) { Add(a); } void Add(int a) { } }", False),
    ],
)
def test_a_function_calls_itself_for_certain_only_if_it_takes_the_arguments(text: str, certain: bool) -> None:
    edges = Resolved({"a.cs": text}).graph.edges
    itself = [e for e in edges if e.kind == "CALLS" and e.source == e.target and e.confidence >= 0.9]
    assert bool(itself) is certain


@pytest.mark.parametrize(
    ("argument", "line"), [("Some", 2), ("one", 3), ("many", 2), ("one, one, one", 2), ("Lost(one)", 0)]
)
def test_an_array_is_passed_as_the_collected_parameter_and_an_item_is_not(argument: str, line: int) -> None:
    text = f"""class A {{ static readonly object[] Some = {{ }};
    void Put(string text, params object?[]? items) {{ }}
    void Put<T>(string text, T item) {{ }}
    void Go(string text, int one, object[] many) {{ Put(text, {argument}); }} }}"""
    found = Resolved({"a.cs": text})
    edges = [edge for edge in found.graph.edges if edge.kind == "CALLS" and edge.confidence >= 0.95]
    assert [found.graph.catalog.symbol(edge.target).line for edge in edges] == [line] * bool(line)


def test_a_global_using_of_the_nearest_folder_comes_first() -> None:
    files = {f"{each}/T.cs": f"namespace Q.{each};\nclass T {{ void M() {{ Made.Give(); }} }}" for each in "ab"}
    for each in "ab":
        files[f"{each}/Usings.cs"] = f"global using P.{each}.Kit;"
        files[f"{each}/kit/Made.cs"] = (
            f"namespace P.{each}.Kit;\nstatic class Made {{ internal static void Give() {{ }} }}"
        )
    edges = [
        edge for edge in Resolved(files).graph.edges if edge.kind != "CONTAINS" and edge.target.endswith("Made.Give")
    ]
    assert sorted((edge.kind, edge.source[0], edge.target[0]) for edge in edges) == [
        ("CALLS", "a", "a"),
        ("CALLS", "b", "b"),
    ]


def test_a_local_function_hides_the_method_around_it() -> None:
    local = "class A { int Walk(int n) { return Walk(n, 2); static int Walk(int m, int k) => m + k; } }"
    made = Resolved({"a.cs": local})
    assert made.pairs() == {("a.cs:A.Walk", "a.cs:A.Walk.Walk")}


@pytest.mark.parametrize(
    ("namespace", "condition", "rule"),
    [
        ("System.Text", "#if !NET6_0\n{}\n#endif", "overload"),
        ("System.Text", "{}", "scope"),
        ("Shop", "#if !NET6_0\n{}\n#endif", "scope"),
    ],
)
def test_a_type_of_the_platform_is_its_own_in_some_builds_only(namespace: str, condition: str, rule: str) -> None:
    text = f"namespace {namespace};\nstatic class Hash {{ internal static int Mix(int a) => a; }}"
    made = Resolved({
        "Hash.cs": condition.format(text),
        "b.cs": f"using {namespace};\nclass B {{ void M() {{ Hash.Mix(1); }} }}",
    })  # fmt: skip
    assert made.rule("b.cs:B.M", "Hash.cs:Hash.Mix") == rule


@pytest.mark.parametrize("member", ["Build Build { get { return b; } }", "Build Build { get; set; }"])
def test_a_type_is_no_inherited_property_of_its_name(member: str) -> None:
    files = {
        "a.cs": "namespace A;\npublic class Build { public Build() {} public void Go() {} }",
        "b.cs": f"using A;\nnamespace T;\nclass Base {{ Build b; protected {member} }}",
        "c.cs": "using A;\nnamespace T;\n"
        "class C : Base { void M() { var x = new Build(); x.Go(); } bool N() => o as Build; }",
    }
    made = Resolved(files)
    assert made.callees("c.cs:C.M") == ["a.cs:Build.Build", "a.cs:Build.Go"]
    assert ("c.cs:C.N", "a.cs:Build") in made.pairs("USES")
    assert not {target for _, target in made.pairs() | made.pairs("USES")} & {"b.cs:Base.Build"}


def test_a_type_from_outside_is_no_property_of_its_name() -> None:
    made = Resolved({"a.cs": "class C { Version Version => null; void M() { var x = new Version(1); } }"})
    assert made.pairs() == set()


def test_a_name_that_a_pattern_declares_is_no_use_of_a_field() -> None:
    uses = "if (o is Foo a) {} F(out var b); try {} catch (E c) {} foreach (var d in o) {} F((e, f) => 1); goto g; g: ;"
    fields = " ".join(f"int {name};" for name in "abcdefg")
    made = Resolved({"a.cs": f"class C {{ {fields} void M(object o) {{ {uses} }} }}"})
    assert made.pairs("USES") == set()


def test_of_overloads_that_fit_alike_none_is_certain() -> None:
    heads = ("IEnumerable<string> s", "IEnumerable<object> s", "IEnumerable s")
    overloads = " ".join(f"internal static void Go({head}) {{}}" for head in heads)
    uses = (
        "void Any(object o) { if (o is IEnumerable e) { H.Go(e); } }  void One(object[] x) { H.Go(x.Select(y => y)); }"
    )
    made = Resolved({"a.cs": f"static class H {{ {overloads} }}\nclass C {{ {uses} }}"})
    assert made.callees("a.cs:C.Any") == ["a.cs:H.Go#3"]
    assert made.callees("a.cs:C.One") == []
    assert made.callees("a.cs:C.One", 0.5) == ["a.cs:H.Go", "a.cs:H.Go#2", "a.cs:H.Go#3"]


def test_an_overload_that_is_private_is_not_called_from_other_types() -> None:
    overloads = "static void Run(Func<Task> t) {} internal static T Run<T>(Func<Task<T>> t) => default;"
    user = "class C { Task<int> Get() => null; int M() => H.Run(() => Get()); }"
    made = Resolved({"a.cs": f"static class H {{ {overloads} }}\n{user}"})
    assert made.callees("a.cs:C.M", 0.5) == ["a.cs:C.Get", "a.cs:H.Run#2"]


def test_nameof_uses_a_property_and_does_not_call_it() -> None:
    uses = ("nameof(P)", "nameof(this.R)", "nameof(B.Q)", "nameof(H)", "P")
    calls = "\n".join(f"void F{n}() => G({use});" for n, use in enumerate(uses))
    text = f"class A {{ int P => 1; int R => 2; void G(object s) {{}} void H() {{}}\n{calls} }}\n"
    made = Resolved({"a.cs": f"{text}class B {{ public static int Q => 2; }}"})
    for n, name in enumerate(("A.P", "A.R", "B.Q", "A.H")):
        assert made.callees(f"a.cs:A.F{n}", 0) == ["a.cs:A.G"]
        assert (f"a.cs:A.F{n}", f"a.cs:{name}") in made.pairs("USES")
    assert made.callees("a.cs:A.F4") == ["a.cs:A.G", "a.cs:A.P"]


def test_an_event_and_a_delegate_run_the_methods_that_are_assigned() -> None:
    source = """
class P {
  public event Action<int> Changed;
  private Action<int> own;
  public void Fire() { Changed?.Invoke(1); }
  public void Again() { Changed(1); }
  public void Run() { own(1); }
  public void Other(Action<int> own) { own(1); }
  void Set() { own = Mine; }
  void Mine(int x) {}
}
class Q {
  void Start(P p) { p.Changed += OnChanged; p.Changed += this.OnOther; }
  void Name(P p) { var held = p.Changed; }
  void OnChanged(int n) {}
  void OnOther(int n) {}
}
"""
    graph = graph_of({"a.cs": source})
    found: dict[str, set[str]] = {}
    for caller, callee in edges(graph):
        found.setdefault(caller, set()).add(callee)
    assert found == {
        "P.Fire": {"Q.OnChanged", "Q.OnOther"},
        "P.Again": {"Q.OnChanged", "Q.OnOther"},
        "P.Run": {"P.Mine"},
    }
    uses = set(edges(graph, "USES"))
    assert {("Q.Start", "Q.OnChanged"), ("Q.Start", "Q.OnOther"), ("P.Set", "P.Mine")} <= uses
    assert not [callee for caller, callee in uses if caller == "Q.Name" and callee.startswith("Q.On")]
