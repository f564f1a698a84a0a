"""Relations between files that their paths show."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.ranking.candidates import Newer, superseded, twins

PATHS = st.lists(st.lists(st.sampled_from(["a", "b", "v1", "v2", "f.h", "f.c", ".x", ""]), min_size=1).map("/".join))


def test_old_versions_are_folders_beside_a_newer_one() -> None:
    old = ["api/v1/a.go", "api/v1/deep/b.go", "api/v2beta1/a.go", "api/v2alpha3/a.go"]
    others = ["api/v2/a.go", "lib/v1/a.go", "v1.go", "api/v10x/a.go", "api/version3/a.go", "a.go"]
    assert superseded([*old, *others]) == {path: Newer(path.split("/")[1], "v2") for path in old}
    assert superseded(["v9/a", "v10/a"]) == {"v9/a": Newer("v9", "v10")}
    assert superseded(["v1alpha2/a", "v1beta1/a"]) == {"v1alpha2/a": Newer("v1alpha2", "v1beta1")}
    assert superseded([]) == {}


def test_twins_have_one_name_and_folders_that_differ_in_one_place() -> None:
    header, source, win = "src/unix/fs.h", "src/unix/fs.c", "src/win/fs.c"
    assert twins([header, source, win, "src/fs.c"]) == {
        header: (source, win), source: (header, win), win: (header, source),
    }  # fmt: skip
    assert twins(["a/x/fs.c", "b/y/fs.c"]) == {}
    assert twins(["a/b.ts", "a/b.d.ts", "b.ts"]) == {"a/b.ts": ("a/b.d.ts",), "a/b.d.ts": ("a/b.ts",)}
    assert twins([f"m{at}/index.ts" for at in range(5)]) == {}  # a convention
    assert twins(["a/.env", "b/.env"]) == {}


@given(PATHS)
def test_twins_are_twins_of_each_other(paths: list[str]) -> None:
    found = twins(set(paths))
    assert all(path in found[other] and path != other for path, others in found.items() for other in others)
    assert set(superseded(paths)) <= set(paths)
