"""Changes between two states: what they say leads from the one to the other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.source.changes import Changes, Move, compare

_PATH = st.builds("{}/{}.py".format, st.sampled_from("ab"), st.sampled_from("xyz"))
_STATE = st.dictionaries(_PATH, st.sampled_from("1234"), max_size=6)


def state(**files: str) -> dict[str, str]:
    return {name.replace("__", "/"): content for name, content in files.items()}


def test_each_kind_of_change() -> None:
    old = state(kept="1", edited="2", gone="3", a__name="4", here="5")
    new = state(kept="1", edited="20", fresh="6", b__name="4", there="5")
    assert compare(old, new) == Changes(
        ("fresh",), ("edited",), ("gone",), (Move("a/name", "b/name"), Move("here", "there"))
    )


def test_files_that_kept_their_name_are_paired_first() -> None:
    old = state(a__x="1", a__y="1")
    new = state(b__y="1", b__w="1")
    assert compare(old, new).moved == (Move("a/x", "b/w"), Move("a/y", "b/y"))


@given(_STATE, _STATE)
def test_changes_lead_from_the_old_state_to_the_new(old: dict[str, str], new: dict[str, str]) -> None:
    changes = compare(old, new)
    content = dict(old)
    for path in changes.removed:
        del content[path]
    for move in changes.moved:
        content[move.new] = content.pop(move.old)
    for path in (*changes.added, *changes.changed):
        content[path] = new[path]
    assert content == new


@given(_STATE, _STATE)
def test_every_path_is_in_one_place_and_sorted(old: dict[str, str], new: dict[str, str]) -> None:
    changes = compare(old, new)
    places = [*changes.added, *changes.changed, *changes.removed, *(path for move in changes.moved for path in move)]
    assert len(places) == len(set(places))
    for rows in (changes.added, changes.changed, changes.removed, changes.moved):
        assert list(rows) == sorted(rows)
    assert not {old[path] for path in changes.removed} & {new[path] for path in changes.added}


@given(_STATE, _STATE)
def test_the_way_back_is_the_way_there_reversed(old: dict[str, str], new: dict[str, str]) -> None:
    there, back = compare(old, new), compare(new, old)
    assert (there.added, there.changed, len(there.moved)) == (back.removed, back.changed, len(back.moved))
    assert not compare(old, old)
