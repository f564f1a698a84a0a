"""The tests that a change reaches, whatever the limit of the answer shows."""

from __future__ import annotations

from codeexplore.graph import queries
from tests.graph_sources import graph_of, standings_of

REACHED = {
    "m.py": "def core(): pass\ndef middle(): core()\n",
    "tests/test_b.py": """
        from m import core, middle
        def helper(): core()
        def test_first(): core()
        def benchmark_it(): core()  # other runners than pytest would find it
        def Test_other(): core()
        def test_apart(): pass
        class TestAll:
            def test_inside(self): helper()
        """,
    "tests/test_a.py": "from m import core\ncore()\n",
    "tests/shapes.test.js": "import {x} from './x'\n",
    "tool.py": "from m import core\ndef test_drive(): core()\n",
}


def found_tests(name: str, sources: dict[str, str] = REACHED, **more: object) -> list[str]:
    graph = graph_of(sources)
    answer = queries.walk(graph, "impact", [graph.catalog.resolve(name).id], **more)  # type: ignore[arg-type]
    return [each.partition(":")[2] for each in answer.tests]


def test_functions_by_their_names_else_the_file() -> None:
    assert found_tests("m.core") == ["tests.test_b.test_first", "tests.test_b.TestAll.test_inside", "tests.test_a"]


def test_the_limit_of_the_answer_hides_no_test() -> None:
    assert len(found_tests("m.core", limit=1)) == 3


def test_a_number_of_steps_hides_no_test() -> None:
    assert found_tests("m.core", depth=1) == found_tests("m.core")
    assert found_tests("m.core", tests=False) == []


def test_a_test_asked_about_is_not_its_own_test() -> None:
    assert found_tests("test_first") == []


def test_other_questions_name_no_tests() -> None:
    graph = graph_of(REACHED)
    assert queries.walk(graph, "callers", ["m.py:m.core"]).tests == ()


def test_only_sure_edges_lead_to_tests() -> None:
    sources = {
        "m.py": "class A:\n    def zap_all(self): pass\n",
        "tests/test_m.py": "def test_zap(x): x.zap_all()\n",
    }
    assert found_tests("A.zap_all", sources) == []
    assert found_tests("A.zap_all", sources, minimum=0.0) == ["tests.test_m.test_zap"]


def test_a_mark_of_a_type_makes_its_public_methods_tests() -> None:
    base = "package a;\n@Test\npublic abstract class BaseTest {\n}\n"
    cart = """
        package a;
        public class CartTest extends BaseTest {
          public CartTest() { new Cart().sum(); }
          @BeforeMethod public void prepare() { new Cart().sum(); }
          private void helper() { new Cart().sum(); }
          public void sums() { new Cart().sum(); }
          public void runs() { Runner.run(() -> new Cart().sum()); }
        }
        """
    program = (
        "package a.examples;\npublic class Shop { static void main(String[] a) { go(() -> new a.Cart().sum()); } }\n"
    )
    sources = {
        "src/main/java/a/Cart.java": "package a;\npublic class Cart { public int sum() { return 1; } }\n",
        "src/test/java/a/BaseTest.java": base,
        "src/test/java/a/CartTest.java": cart,
        "src/test/java/a/examples/Shop.java": program,
    }
    assert found_tests("Cart.sum", sources) == ["a.CartTest.sums", "a.CartTest.runs"]


def test_a_base_of_tests_may_be_of_the_repository() -> None:
    sources = {
        "src/main/java/a/Cart.java": "package a;\npublic class Cart { public int sum() { return 1; } }\n",
        "src/test/java/a/OwnCase.java": "package a;\nabstract class OwnCase extends TestCase {}\n",
        "src/test/java/a/CartTest.java": "package a;\nclass CartTest extends OwnCase {\n"
        "  public void testSum() { new Cart().sum(); }\n  public void other() { new Cart().sum(); }\n}\n",
    }
    assert found_tests("Cart.sum", sources) == ["a.CartTest.testSum"]


def test_a_callback_stands_for_its_file() -> None:
    sources = {
        "src/m.js": "export function core() {}\n",
        "test/m.test.js": "import {core} from '../src/m.js'\ndescribe('m', () => { it('runs', () => { core() }) })\n",
    }
    assert found_tests("core", sources) == [graph_of(sources).catalog.in_file("test/m.test.js")[0].fqn]


def test_members_that_make_their_own_type() -> None:
    sources = {"src/lib.rs": """
        pub struct Args { a: u16 }
        pub struct Options { pub a: u16 }
        impl From<Args> for Options { fn from(args: Args) -> Self { Self { a: args.a } } }
        impl Options { fn half(&self) -> u16 { self.a / 2 } }
        fn run(args: Args) -> u16 { Options::from(args).half() }
        fn main() { run(Args { a: 1 }); }
        """}  # fmt: skip
    graph = graph_of(sources)
    options = graph.catalog.resolve("Options").id
    for depth, names in (1, ["from", "run"]), (None, ["from", "run", "main"]):
        answer = queries.walk(graph, "impact", [options], depth=depth)
        assert [graph.catalog.symbol(each.symbol_id).name for each in answer.reached[1:]] == names
        assert answer.reached[1].via == options
    both = queries.walk(graph, "impact", [options, graph.catalog.resolve("Options.from").id])
    assert len({each.symbol_id for each in both.reached}) == len(both.reached) == 4


def test_the_steps_end_at_members_that_an_outside_supertype_calls() -> None:
    sources = {"src/lib.rs": """
        use outside::Widget;
        struct Table;
        fn line() {}
        fn other() { line(); }
        impl Widget for Table { fn draw(&self) { line(); } }
        impl Table { fn show(&self) { other(); } }
        """}  # fmt: skip
    known = standings_of(sources)
    ids = [known.graph.catalog.resolve(name).id for name in ("line", "other")]
    said = [queries.walk(known.graph, "impact", [each], usage_evidence=known).notes for each in ids]
    assert ["end at" in " ".join(notes) for notes in said] == [True, False]
    assert "crate::Table::draw, which a supertype outside this repository may call" in said[0][-1]


def test_an_impact_goes_on_from_a_variable_with_the_value() -> None:
    source = """
        def build(text): return [text]
        table = build("x")
        other = 3
        def first(): return table[0]
        def second(): return other
        """
    graph = graph_of({"m.py": source})
    walked = queries.walk(graph, "impact", [graph.catalog.resolve("m.build").id])
    assert {graph.catalog.symbol(each.symbol_id).fqn for each in walked.reached} == {
        "m", "m.build", "m.table", "m.first",
    }  # fmt: skip


def test_a_literal_makes_a_type_that_the_same_function_names() -> None:
    graph = graph_of({"src/lib.rs": """
        struct Plain { a: u8 }
        impl Plain { fn twin(&self) -> Plain { Plain { a: self.a } } fn show(&self, other: Plain) {} }
        fn makes() -> Plain { Plain { a: 1 } }
        fn takes(plain: Plain) {}
        """})  # fmt: skip
    plain = [graph.catalog.resolve("Plain").id]
    names = {}
    for relation in ("callers", "impact"):
        reached = queries.walk(graph, relation, plain, depth=1).reached[1:]
        names[relation] = {graph.catalog.symbol(each.symbol_id).name for each in reached}
    assert names == {"callers": {"makes", "twin"}, "impact": {"makes", "takes", "twin"}}


def test_a_constructor_uses_the_type_that_it_names() -> None:
    graph = graph_of({"src/lib.rs": """
        struct Plain { a: u8 }
        impl Plain {
            fn new() -> Result<Plain, u8> { Ok(Plain { a: 1 }) }
            fn other(&self) -> u8 { self.a }
        }
        fn makes() { Plain::new(); }
        """})  # fmt: skip
    walked = queries.walk(graph, "uses", [graph.catalog.resolve("Plain").id])
    assert {graph.catalog.symbol(each.symbol_id).name for each in walked.reached[1:]} == {"makes", "new"}
    assert walked.verdict.headline == "2 uses of crate::Plain"
