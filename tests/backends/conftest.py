"""In which of the two ways the tests of the emulator compile kernels: most launches of tests are small."""

from __future__ import annotations

from types import ModuleType

import pytest

from autograder.backends import emulator

#: Where what the optimizer leaves of a kernel is held against something: there it is always asked.
OPTIMIZED = ("test_counting", "test_loop_counts")
#: What must not get in by either way.
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
