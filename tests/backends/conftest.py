"""Choose how the emulator's tests compile kernels, optimized or not: most launches in tests are small."""

from __future__ import annotations

from types import ModuleType

import pytest

from autograder.backends import emulator

#: Tests that compare what the optimizer leaves of a kernel with something: these always optimize.
OPTIMIZED = ("test_counting", "test_loop_counts")
#: Tests of what neither way must let in: these run both ways.
BOTH = ("test_hostile", "test_hostile_language")


def _named(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if _named(metafunc.module) in BOTH:
        metafunc.parametrize("_optimized_or_not", (False, True), indirect=True, ids=("plain", "optimized"))


@pytest.fixture(autouse=True)
def _optimized_or_not(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if getattr(request, "param", _named(request.module) in OPTIMIZED):
        monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)
