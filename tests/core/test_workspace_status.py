from __future__ import annotations

import json
from pathlib import Path

import pytest

from codeexplore import SourceError, Workspace
from codeexplore.answers.status import age_words
from codeexplore.cli import main
from codeexplore.source.changes import Changes


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "repo"
    root.mkdir()
    (root / "shop.py").write_text(
        "def total(cart):\n    return sum(price(item) for item in cart)\n\n\ndef price(item): ...\n"
    )
    (root / "bad.ipynb").write_text("{ not JSON")
    return root


def test_a_status_tells_what_there_is(repo: Path) -> None:
    ws = Workspace(repo)
    status = ws.status()
    assert status.healthy
    assert [(lane.lane, lane.status) for lane in status.lanes] == [
        ("bm25", "ok"), ("embedding", "ok"), ("graph", "ok"),
    ]  # fmt: skip
    assert status.files == {"Python": 1}
    assert status.stale == {"added": 0, "changed": 0, "removed": 0}
    assert status.age < 3600
    assert len(status.model_checksum) == 32
    assert status.cache.indexes == 1
    assert status.cache.size > 1000
    (problem,) = status.problems
    assert "malformed notebook" in problem.what
    assert problem.next_step
    assert "malformed notebook" in repr(status)
    assert json.loads(json.dumps(status.to_dict()))["schema"] >= 1


def test_a_status_tells_stale_files(repo: Path) -> None:
    ws = Workspace(repo)
    (repo / "more.py").write_text("def more(): ...\n")
    status = ws.status()
    assert status.stale == {"added": 1, "changed": 0, "removed": 0}
    assert any("refresh" in problem.next_step for problem in status.problems)
    ws.refresh()
    assert ws.status().stale == {"added": 0, "changed": 0, "removed": 0}
    Workspace(repo)
    assert Workspace(repo).status().cache.this


def test_a_broken_lane_is_serious(repo: Path) -> None:
    ws = Workspace(repo)

    class Broken:
        lane = "bm25"

        def retrieve(self, *args: object) -> None:
            raise RuntimeError("out of order")

    ws.engine.retrievers["bm25"] = Broken()  # type: ignore[assignment]
    lane = ws._holder.current
    with pytest.raises(AttributeError):  # a double has no scores to keep
        ws.save(repo.parent / "x")
    from codeexplore.workspace.health import status as status_of

    def no_look(_: object) -> Changes:
        raise SourceError("no look")

    status = status_of(lane, no_look)
    assert not status.healthy
    assert status.lanes[0].status == "failed"
    assert "out of order" in repr(status)


def test_a_portable_index_tells_that_its_files_are_elsewhere(repo: Path, tmp_path: Path) -> None:
    file = Workspace(repo).save(tmp_path / "shop.codeexplore")
    repo.rename(tmp_path / "gone")
    status = Workspace.open(file).status()
    assert status.healthy
    assert status.stale == {}
    assert any("can't be compared" in problem.what for problem in status.problems)


def test_the_doctor_names_files_that_could_not_be_parsed_in_part(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("def f(:\n    return (\n")
    told = [problem.what for problem in Workspace(tmp_path, cache=False, workers=0).status().problems]
    assert "1 file could not be parsed in part: bad.py" in told


def test_the_doctor_says_so_with_its_exit_status(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--doctor", str(repo)]) == 0
    told = capsys.readouterr().out
    assert "embedding" in told
    assert "plain Python; compiled" in told or "compiled; CODEEXPLORE_COMPILED=0" in told
    assert main(["status", "--doctor", str(repo), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["healthy"]
    assert report["kind"] == "status"
    assert main(["status", "--doctor", str(repo / "nothing"), "--format", "json"]) == 2
    assert not json.loads(capsys.readouterr().out)["healthy"]


def test_the_cache_from_the_command_line(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Workspace(repo)
    assert main(["cache", "list"]) == 0
    assert str(repo) in capsys.readouterr().out
    assert main(["cache", "verify"]) == 0
    (file,) = (tmp_path / "cache").glob("indexes/*/*/index-*.zip")
    data = bytearray(file.read_bytes())
    data[data.index(b"return sum")] ^= 1
    file.write_bytes(data)
    capsys.readouterr()
    assert main(["cache", "verify", "--format", "json"]) == 1
    assert "checksum" in json.loads(capsys.readouterr().out)["indexes"][0]["problem"]
    assert main(["cache", "clear", str(tmp_path)]) == 1  # holds no index
    assert main(["cache", "clear"]) == 0
    capsys.readouterr()
    assert main(["cache", "list", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["indexes"] == []


def test_ages_are_told_in_words() -> None:
    assert [age_words(seconds) for seconds in (0, 1, 61, 7_300, 180_000)] == [
        "0 seconds", "1 second", "1 minute", "2 hours", "2 days",
    ]  # fmt: skip
