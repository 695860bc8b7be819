"""In which of the two ways tests compile kernels. Without these fixtures, by the size of the launch: most are small."""

from __future__ import annotations

import pytest

from autograder.cuda.backends import emulator


@pytest.fixture
def optimized(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is held against what the optimizer leaves of a kernel: it is always asked."""
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)


@pytest.fixture(params=(False, True), ids=("plain", "optimized"))
def plain_and_optimized(request: pytest.FixtureRequest) -> None:
    """For what must not get in by either way."""
    if request.param:
        request.getfixturevalue("optimized")
