"""A launch that has ended gives one answer: what the timer says while it is written comes too late."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler import emulator_runtime
from autograder.cuda.compiler.emulator_runtime import EMULATOR, build_runtime
from autograder.cuda.compiler.protocol_header import write_headers
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

#: An observer during whose end the timer ticks.
LATE = """#pragma once
#include "events/observer.h"
static void on_tick_of_kernel(u64 site);
struct Late : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static inline bool told;
    static void finish() {
        if (!told) told = true, on_tick_of_kernel(0);
    }
};
"""


def test_a_tick_while_the_answer_is_written_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(shutil.copytree(EMULATOR, tmp_path / "emulator"))
    (source / "observers/late.h").write_text(LATE)
    write_headers(source)
    ordinary = build_runtime()  # before its flags change
    # The optimizer would take most of the time.
    monkeypatch.setattr(emulator_runtime, "_RUNNER", [*emulator_runtime._RUNNER, "-O0"])
    emulator_runtime.build_runner(source, source)
    runtime = replace(ordinary, runner=source / "emu-run")
    monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)
    launch = Kernel("__global__ void k(int* a) { a[threadIdx.x] = 1; }", "k").prepare(
        1, 32, [np.zeros(32, np.int32)], 0
    )
    run = emulator.run(launch, cpu_seconds=0)  # so that the first tick would stop it
    assert run.completed and not run.findings and run.outputs[0].all()
