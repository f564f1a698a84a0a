"""The sample repositories are found in a checkout and in a wheel."""

import pytest

from codeexplore.source import samples
from codeexplore.types.errors import RootNotFound


def test_samples_are_found_in_a_checkout():
    assert "webshop" in samples.sample_names()
    assert (samples.sample_repo("webshop") / "README.md").is_file()


def test_an_unknown_sample_lists_the_known_ones():
    with pytest.raises(RootNotFound, match=r"'shop'.*webshop"):
        samples.sample_repo("shop")


def installed(tmp_path, monkeypatch, *folders):
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(samples, "_PACKAGE", tmp_path / "site-packages" / "codeexplore")


def test_a_wheel_has_them_inside(tmp_path, monkeypatch):
    inside = "site-packages/codeexplore/sample_repos"
    # somebody else's folder of that name must not be taken for ours, nor files for repositories
    installed(tmp_path, monkeypatch, f"{inside}/webshop", f"{inside}/_hidden", "site-packages/sample_repos/other")
    (tmp_path / inside / "webshop.truth.json").write_text("{}")
    assert samples.sample_names() == ("webshop",)


def test_an_installation_without_them_says_so(tmp_path, monkeypatch):
    installed(tmp_path, monkeypatch, "site-packages/codeexplore")
    with pytest.raises(RootNotFound, match="reinstall"):
        samples.samples_folder()
