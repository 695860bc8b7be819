"""Many small launches in one process: each ends as it would alone, and ends no other."""

from __future__ import annotations

from collections.abc import Iterator

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator, emulator_sweep
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.launch import Launch
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

BOTH = pytest.mark.parametrize("name", Engine)
#: What a thread does in a case, and whether it then runs to its end.
ENDS = {
    "out[t] = in[t] + n;": True,
    "out[n + 32] = 1;": False,
    "*(int*)8 = n;": False,
    "((int*)in)[t] = 1;": False,
    "while (n) {}": False,
    "for (;;) out[t] += 1;": False,
    "out[t] = in[t] / (n - n);": False,
    "__trap();": False,
    "if (t) __syncthreads(); else __syncthreads();": False,
    'printf("%d", t); out[t] = 3;': True,
    "if (t < 3) return; __syncthreads(); out[t] = n;": True,
}


def launches(text: str, numbers: range, grid: int = 1, block: int = 4, shared_mem: int = 0) -> list[Launch]:
    kernel = Kernel(f"__global__ void k(const int* in, int* out, int n) {{ int t = threadIdx.x;\n{text}\n}}", "k")
    arrays = [np.arange(32, dtype=np.int32), np.zeros(32, np.int32)]
    return [kernel.prepare(grid, block, [*arrays, n], shared_mem) for n in numbers]


@BOTH
def test_each_launch_ends_as_it_would_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    cases = "\n".join(f"case {i}: {{ {body} break; }}" for i, body in enumerate(ENDS))
    requested = launches(f"switch (n) {{ {cases} }}", range(len(ENDS)))
    requested = [launch.with_experiment(leave_early=True) for launch in requested]
    runs = emulator_sweep.run_each(requested)
    assert [bool(run and run.completed) for run in runs] == [*ENDS.values()]
    for launch, run in zip(requested, runs, strict=True):
        assert run
        alone = emulator.run(launch, checks=False, cpu_seconds=emulator_sweep.CPU_SECONDS)
        assert alone.completed == run.completed
        if run.completed:
            assert [left.tobytes() for left in alone.outputs] == [left.tobytes() for left in run.outputs]


ORDERED = {
    "warps": "int a = __shfl_down_sync(~0u, t, 1); __syncwarp(); out[t] = a + n;",
    "fences": "atomicAdd(&out[0], t); __threadfence(); if (atomicAdd(&out[1], 1) == 63) out[2] = n;",
    "spinning": "if (!blockIdx.x) { while (!atomicAdd(&out[3], 0)) {} out[4] = n; } else atomicAdd(&out[3], 1);",
    "variables": "__shared__ int s[32]; static __device__ int v = 7; s[t] = v + n; __syncthreads(); out[t] = s[t ^ 1];",
}


@BOTH
@pytest.mark.parametrize("text", ORDERED.values(), ids=ORDERED)
def test_what_the_fast_path_leaves_to_the_full_check(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    requested = launches(text, range(5), grid=2, block=32)
    for launch, run in zip(requested, emulator_sweep.run_each(requested), strict=True):
        assert run and run.completed
        assert run.outputs[1].tobytes() == emulator.run(launch).outputs[1].tobytes()


@BOTH
def test_no_more_launches_are_made_than_are_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    monkeypatch.setattr(emulator_sweep, "MAX_LAUNCHES", 5)
    monkeypatch.setattr(emulator_sweep, "MAX_LAUNCHES_ONE_BY_ONE", 5)
    made = []

    def make(blocks: list[int], text: str = "out[t] = 1;") -> Iterator[Launch]:
        for block in blocks:
            made.append(block)
            yield launches(text, range(1), block=block)[0]

    assert [bool(run) for run in emulator_sweep.run_each(make([4] * 9))] == [True] * 5
    assert len(made) == 5
    assert not emulator_sweep.run_each(make([]))
    monkeypatch.setattr(emulator_sweep, "MAX_THREADS", 12)
    assert [bool(run) for run in emulator_sweep.run_each(make([1, 9, 3, 2]))] == [True, False, True, True]
    monkeypatch.setattr(emulator_sweep, "MAX_WAITING", 5)
    waiting = make([1, 9, 3, 2], "__syncthreads(); out[t] = 1;")
    assert [bool(run) for run in emulator_sweep.run_each(waiting)] == [True, False, False, True]


@BOTH
def test_a_launch_that_no_gpu_would_start_is_as_one_that_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    both = [
        launches("__shared__ int s[4096]; s[t] = 1; out[t] = 2;", range(1), shared_mem=size)[0] for size in (0, 220_000)
    ]
    assert [run and run.completed for run in emulator_sweep.run_each(both)] == [True, False]


def test_all_launches_together_have_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, Engine.NATIVE)
    monkeypatch.setattr(emulator_sweep, "CPU_SECONDS", 0.1)
    requested = launches("if (n < 12) while (n + 1) {}\n out[t] = 1;", range(14))
    runs = emulator_sweep.run_each(requested)
    assert runs[0] and not runs[0].completed
    assert runs[-1] is None
