"""Which of the two ways to watch an access the tests of the emulator go: most launches of tests are small, and call."""

from __future__ import annotations

import pytest

from autograder.backends import emulator

#: Where what is compiled into the kernel is held against something: there it is always inlined.
INLINED = ("test_counting", "test_hostile", "test_loop_counts")


@pytest.fixture(autouse=True)
def _inlined_or_called(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.module.__name__.rpartition(".")[2] in INLINED:
        monkeypatch.setattr(emulator, "INLINE_THREADS", 0)
