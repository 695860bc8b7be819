"""In which of the two ways the tests of the emulator compile kernels: most launches of tests are small."""

from __future__ import annotations

import pytest

from autograder.backends import emulator

#: Where what the optimiser leaves of a kernel is held against something: there it is always asked.
OPTIMISED = ("test_counting", "test_loop_counts")


@pytest.fixture(autouse=True)
def _optimised_or_not(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.module.__name__.rpartition(".")[2] in OPTIMISED:
        monkeypatch.setattr(emulator, "OPTIMISE_THREADS", 0)
