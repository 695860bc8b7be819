"""A package adds an observer to the emulator by a file in a folder that it registers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import emulator_runtime
from autograder.cuda.compiler.emulator_runtime import EMULATOR, build_runtime
from autograder.cuda.core.run import Run
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.plugins import plugins

pytestmark = inputs.emulation

EXAMPLE = Path(__file__).parents[1] / "example_observers"
TWO_BARRIERS = """__global__ void k(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package that registers the example's observer."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "their_observers"))
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[autograder.observers]\ntheirs = their_observers\n")
    # The optimizer would take most of the time.
    monkeypatch.setattr(emulator_runtime, "_RUNNER", [*emulator_runtime._RUNNER, "-O0"])
    build_runtime()  # the headers that a runner needs, without this package
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    yield folder
    plugins.cache_clear()
    sys.modules.pop("their_observers", None)


@pytest.fixture
def emulate(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Emulates a kernel `k` on a runner with what is registered."""
    built = build_runtime()
    home = Path(shutil.copytree(built.prelude.parent, tmp_path / "home", ignore=shutil.ignore_patterns("include")))

    def run(text: str) -> Run:
        emulator_runtime.build_runner(EMULATOR, home)
        runtime = replace(built, runner=home / "emu-run")
        monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)
        return Kernel(text, "k").emulate(2, 64, [np.zeros(64, np.int32)])

    return run


def test_it_observes_what_the_fast_path_would_accept(emulate: Callable[..., Run]) -> None:
    run = emulate(TWO_BARRIERS)
    (seen,) = run.observations
    assert (seen.observer, seen.what, seen.count, seen.at.line) == ("idle_barriers", "orders nothing", 2, 5)
    assert emulate(TWO_BARRIERS.replace("__syncthreads();\n    __sync", "__sync", 1)).observations == ()


def test_one_that_does_not_name_its_treatment_on_the_fast_path_is_refused(
    folder: Path, emulate: Callable[..., Run]
) -> None:
    file = folder / "idle_barriers.h"
    file.write_text(file.read_text().replace("static constexpr OnFastPath on_fast_path = OnFastPath::Forbidden;", ""))
    missing = r"^[^\n]*idle_barriers\.h: IdleBarriers must set on_fast_path: TakesPart, Covered or Forbidden[^\n]*$"
    with pytest.raises(GraderFault, match=missing):
        emulate(TWO_BARRIERS)


def test_it_cannot_replace_one_of_ours(folder: Path, emulate: Callable[..., Run]) -> None:
    (folder / "idle_barriers.h").rename(folder / "races.h")
    with pytest.raises(UsageError, match=r"^Two observers are called races\.h: rename .*their_observers/races\.h\.$"):
        emulate(TWO_BARRIERS)


def test_the_runtime_is_built_again_for_it(folder: Path) -> None:
    runtime_key = emulator_runtime.runtime_key.__wrapped__
    first = runtime_key()
    (folder / "idle_barriers.h").write_text("// other")
    assert len({first, runtime_key(), emulator_runtime.runtime_key()}) == 3
