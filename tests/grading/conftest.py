"""Fixtures for everything that runs nbgrader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_course import ROOT, Course


@pytest.fixture(scope="session", autouse=True)
def _autograder_is_importable() -> Iterator[None]:
    """In the commands' processes too, which run elsewhere; as it is where the package is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)
