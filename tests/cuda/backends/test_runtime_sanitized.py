"""The emulator's runtime under AddressSanitizer and UndefinedBehaviorSanitizer, on every kernel of tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import inputs
import pytest
from special_runner import missing, sanitized
from test_corpus import FILES, run_file
from test_loop_counts import test_a_warp_under_a_mask_makes_the_same_requests as run_random_loops
from test_loop_counts import test_lanes_that_loop_differently_far as run_long_loops

from autograder.cuda.backends import emulator, emulator_request
from autograder.cuda.compiler.emulator_runtime import build_runtime

#: Without those that take seconds each, for which one build is enough.
ENDING = [path for path in FILES if not path.stem.startswith("bad_endless_")]

pytestmark = [inputs.emulation, pytest.mark.rare, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sanitized(tmp_path_factory.mktemp("sanitized"))


@pytest.fixture
def checked(runner: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    runtime = replace(build_runtime(), runner=runner)
    monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 200_000)
    # If threads wait for a block that never comes, all must be seen waiting, so keep them few.
    monkeypatch.setattr(emulator_request, "MAX_RESIDENT_THREADS", 2048)
    yield


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_runs_clean(path: Path) -> None:
    """Whatever the emulator finds in the kernel, the sanitizers must find nothing in the runtime."""
    run_file(path)


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("path", ENDING, ids=lambda path: path.stem)
def test_runs_clean_beside_inlined_hooks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)
    run_file(path)


# No other test has compiled the corpus for counting only, which takes longer than running it: a part must do.
@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("path", ENDING[::5], ids=lambda path: path.stem)
def test_counts_clean(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)
    run_file(path, checks=False)


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("path", [p for p in FILES if p.parent.name == "race"], ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "schedule", ["lockstep", "forward; hold 0:0:1 until 0:1:0", "backward; hold 1:0:0 until 0:1:1"]
)
def test_runs_clean_in_other_orders(path: Path, schedule: str) -> None:
    run_file(path, schedule, trace=True)


@pytest.mark.usefixtures("checked")
def test_counts_loops_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    run_random_loops(0)
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 4_000_000)
    run_long_loops()
