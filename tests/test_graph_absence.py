"""What an empty answer says: nothing there, nothing resolved, the wrong question; and where the name stands else."""

from __future__ import annotations

import pytest

from codeexplore.graph import queries
from codeexplore.graph.traverse import MAX_POSSIBLE
from codeexplore.types import Subgraph
from tests.graph_sources import graph_of, standings_of

PLACES = {
    "m.py": """
        LIMIT = 3
        class Alone:
            def spare(self): pass
        class Twin:
            def zap(self): pass
        class Brother:
            def zap(self): pass
        def loop(n):
            return loop(n - 1)
        def unseen(): pass
        def once(): pass
        def twice(): pass
        def thrice():
            thrice = 1
        def short():
            # short is told here
            pass
        table = ["once", twice]
        """,
    "other.py": "x = y.twice\nx.thrice = 1\nx.thrice += 2\nx.thrice += 3\n" + "\n" * 12 + "x.short\n",
    "third.py": "x.zap_it\nobj.once\n",
    "quiet.py": "def calm(): pass\n",
}


def asked(relation: str, *names: str, sources: dict[str, str] = PLACES, told: bool = True) -> Subgraph:
    standings = standings_of(sources)
    ids = [standings.graph.catalog.resolve(name).id for name in names]
    return queries.walk(standings.graph, relation, ids, standings=standings if told else None)


@pytest.mark.parametrize(
    ("relation", "names", "said"),
    [
        ("callers", ["unseen"], "no callers in this repository; the name unseen stands nowhere else in the code"),
        ("uses", ["unseen"], "no uses in this repository; the name unseen stands nowhere else in the code"),
        (
            "impact", ["unseen"],
            "no callers or users in this repository; the name unseen stands nowhere else in the code",
        ),
        ("callees", ["unseen"], "no callees in this repository"),
        ("callers", ["unseen", "Alone"], "no callers in this repository"),  # two seeds: whose name?
        ("uses", ["LIMIT"], "no uses in this repository; the name LIMIT stands nowhere else in the code"),
        ("callers", ["LIMIT"], "a constant is not called and calls nothing; ask for its uses"),
        ("callees", ["LIMIT"], "a constant is not called and calls nothing; ask for its uses"),
        ("callers", ["quiet"], "no calls at its top"),
        ("callees", ["quiet"], "no calls at its top"),
        ("callers", ["quiet", "LIMIT"], "a module or constant is not called and calls nothing; ask for its uses"),
        ("callers", ["LIMIT", "unseen"], "no callers in this repository"),  # one of them may well be called
        (
            "implementors", ["unseen"],
            "a function has no implementors; ask for those of a type, or for a method's overrides",
        ),
        (
            "subclasses", ["unseen"],
            "a function has no subclasses; ask for those of a type, or for a method's overrides",
        ),
        ("subclasses", ["Alone"], "no subclasses in this repository"),
        ("implementors", ["Alone.spare"], "no implementors in this repository"),
        ("implementors", ["unseen", "Alone"], "no implementors in this repository"),
        ("callers", ["loop"], "no callers in this repository but itself: it is recursive"),
        ("impact", ["loop"], "no callers or users in this repository but itself: it is recursive"),
        ("imports", ["quiet"], "no imports in this repository"),
    ],
)  # fmt: skip
def test_an_empty_answer_says_what_it_means(relation: str, names: list[str], said: str) -> None:
    assert asked(relation, *names).absence == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("once", "2 other places (m.py:19, third.py:2), which resolves to nothing"),
        ("thrice", "3 other places (other.py:2, other.py:3 …), which resolves to nothing"),
        ("short", "1 other place (other.py:17), which resolves to nothing"),  # a line of its span, but in another file
        ("zap", "1 other place (m.py:8), 1 other definition shares it"),
    ],
)
def test_a_name_that_stands_elsewhere_is_told_with_its_places(name: str, said: str) -> None:
    seed = "Twin.zap" if name == "zap" else f"m.{name}"
    assert asked("callers", seed).absence == f"no callers in this repository; its name stands at {said}"


def test_several_definitions_share_a_name() -> None:
    source = "".join(f"class C{n}:\n    def zap(self): pass\n" for n in range(3))
    said = asked("callers", "C1.zap", sources={"m.py": source}).absence
    assert said.endswith("stands at 2 other places (m.py:2, m.py:6), 2 other definitions share it")


def test_without_texts_nobody_says_where_a_name_stands() -> None:
    assert asked("callers", "once", told=False).absence == "no callers in this repository"


def test_no_seed_is_told() -> None:
    graph = graph_of(PLACES)
    assert queries.walk(graph, "callers", []).absence == "no symbol to start from"


@pytest.mark.parametrize(("number", "said"), [(1, "1"), (3, "3"), (MAX_POSSIBLE, f"at least {MAX_POSSIBLE}")])
def test_what_is_possible_is_counted(number: int, said: str) -> None:
    calls = "".join(f"def f{n}(x): x.zap_all()\n" for n in range(number))
    answer = asked("callers", "A.zap_all", sources={"m.py": f"class A:\n    def zap_all(self): pass\n{calls}"})
    assert answer.absence == f"none resolved, but {said} possible by name"


# --------------------------------------------------------------------------- beside an answer


NOTED = {"m.py": "".join(f"def f{n}(): pass\n" for n in range(4)) + "def main(): f0()\n"}


def test_what_may_use_a_symbol_is_told_of_few_seeds_only() -> None:
    public = "Code outside this repository may use it: its name is public"
    assert asked("callers", "f1", sources=NOTED).notes == (public,)
    assert asked("impact", "f0", sources=NOTED).notes == (public,)
    assert asked("uses", "f1", "f2", "main", sources=NOTED).notes == (
        public, "The language or a launcher starts it by its name",
    )  # fmt: skip
    assert asked("callers", "f0", "f1", "f2", "f3", sources=NOTED).notes == ()


@pytest.mark.parametrize("relation", ["callees", "imports", "implementors"])
def test_who_may_use_a_symbol_belongs_to_questions_about_users(relation: str) -> None:
    assert asked(relation, "f1", sources=NOTED).notes == ()


def test_who_may_use_a_symbol_is_not_told_against_the_relation() -> None:
    standings = standings_of(NOTED)
    answer = queries.walk(standings.graph, "callers", ["m.py:m.f1"], direction="out", standings=standings)
    assert answer.notes == ()


USED = {
    "kinds.py": """
        class Held:
            pass
        class Loose:
            pass
        def handed():
            pass
        def taken():
            pass
        """,
    "users.py": """
        from kinds import Held, Loose, handed, taken
        def holds(each: Held) -> None:
            table = [handed]
        def holds_too(each: Held) -> None:
            x.Held = 1
        """,
}


@pytest.mark.parametrize(
    ("relation", "name", "said"),
    [
        (
            "callers", "Held",
            "; 2 symbols use it otherwise: ask for its uses; its name also stands at 1 other place (users.py:6), "
            "which resolves to nothing",
        ),
        ("callers", "handed", "; 1 symbol uses it otherwise: ask for its uses"),
        ("callers", "taken", "; 1 module imports it"),
        ("uses", "Loose", "; 1 module imports it"),
    ],
)  # fmt: skip
def test_what_is_used_otherwise_does_not_resolve_to_nothing(relation: str, name: str, said: str) -> None:
    found = asked(relation, name, sources=USED)
    assert found.absence == f"no {relation} in this repository{said}"
