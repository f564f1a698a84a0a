"""Workspaces that many tests ask: loaded once."""

from __future__ import annotations

import pytest

from codeexplore import Workspace, sample_repo


@pytest.fixture(scope="session")
def webshop() -> Workspace:
    """The Python sample repository, loaded."""
    return Workspace(sample_repo("webshop"))
