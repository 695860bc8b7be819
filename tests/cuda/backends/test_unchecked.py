"""A launch without checks leaves the bytes that one with checks does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import inputs
import numpy as np
import pytest
from test_corpus import FILES, NOT_CUDA, run_file

from autograder.cuda.backends import emulator, unchecked
from autograder.cuda.backends.emulator_process import File
from autograder.cuda.compiler import passes
from autograder.cuda.compiler.ir.reader import read_module
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.launch import Area, Launch, ProgramLaunch
from autograder.cuda.core.run import Run
from autograder.cuda.kernel import Kernel
from autograder.cuda.programs.launches.kernels import argument
from autograder.cuda.programs.memory.heap import ADDRESS

pytestmark = inputs.checking

GOOD = {
    f"{path.parent.name}/{path.stem}": path
    for path in FILES
    if path.stem.startswith("good_") and path.parent.name not in NOT_CUDA and "tensor_map" not in path.stem
}  # (A program makes its tensor maps itself: tests/cuda/programs has some.)
#: Kernels whose result says where memory lies.
DIFFERENT = {
    "out_of_bounds/good_pointer_to_own_shared": "addresses",
}


def computed(launch: Launch) -> tuple[Run, list[np.ndarray]]:
    """The launch without checks, and its arrays afterwards."""
    areas, args, at = list[Area](), list[np.generic | np.ndarray](), 1 << 16
    for parameter, value in zip(launch.signature.parameters, launch.args, strict=True):
        if isinstance(value, np.ndarray):
            values = np.ascontiguousarray(value).reshape(-1)
            areas.append(Area(parameter.name, at, values, True))
            value = argument((ADDRESS + at).to_bytes(8, "little"))
            at += (values.nbytes + (1 << 16) + 4095) & ~4095
        args.append(value)
    with File("memory", at + (1 << 26)) as memory:
        for area in areas:
            memory.write(area.start, area.values.tobytes())
        given = ProgramLaunch(
            launch.source, launch.signature, launch.grid, launch.block, tuple(args), launch.shared_mem,
            code=launch.code, symbols=launch.symbols, areas=tuple(areas),
        )  # fmt: skip
        run = unchecked.compute(given, memory, 20)
        after = [np.frombuffer(memory.read(area.start, area.values.nbytes), area.values.dtype) for area in areas]
    return run, after


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Launch]]:
    """What the emulator is asked to run."""
    requested: list[Launch] = []
    run = emulator.run

    def noted(launch: Launch, **options: Any) -> Run:
        requested.append(launch)
        return run(launch, **options)

    monkeypatch.setattr(emulator, "run", noted)
    yield requested


@pytest.mark.sampled(by=lambda name: DIFFERENT.get(name), one_in=12)
@pytest.mark.parametrize("name", GOOD)
def test_a_right_kernel_leaves_the_same(name: str, launches: list[Launch]) -> None:
    checked = run_file(GOOD[name])[1]
    run, after = computed(launches[0])
    assert run.findings == ()
    assert run.printed == checked.printed
    same = [a.tobytes() == b.tobytes() for a, b in zip(after, checked.outputs, strict=True)]
    assert all(same) == (name not in DIFFERENT)


def test_the_list_names_kernels_that_exist() -> None:
    assert DIFFERENT.keys() <= GOOD.keys()


#: `total` is one for all threads, and `factor` what somebody else may have written.
SHARED = """
static __constant__ int factor = 3;
static __device__ int more = 5;
__global__ void shared(int* out) {
    __shared__ int total;
    if (threadIdx.x == 33) total = factor;
    __syncthreads();
    out[threadIdx.x] = total * factor + more;
}"""


def variables(source: str, **symbols: int) -> list[int]:
    """What that kernel computes, with these values of its variables; nothing if it stops."""
    launch = Kernel(source, "shared").prepare(1, 64, [np.zeros(64, np.int32)])
    given = {name: np.int32(value).tobytes() for name, value in symbols.items()}
    run, (out,) = computed(replace(launch, symbols=given))
    return out.tolist() if run.completed else []


def test_variables_are_what_others_write() -> None:
    assert variables(SHARED) == [3 * 3 + 5] * 64
    assert variables(SHARED, factor=7, more=100) == [7 * 7 + 100] * 64


def test_without_that_pass_the_optimizer_knows_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "show_variables", lambda module: None)
    other = SHARED.replace("int total;", "int total;  // compiled anew")
    assert variables(other, factor=7, more=100) != [7 * 7 + 100] * 64


WAITS = """
__global__ void waits(volatile int* flag, int* out) {
    if (threadIdx.x == 0) {
        while (flag[blockIdx.x] == 0) { }
        out[blockIdx.x] = flag[blockIdx.x];
    } else if (threadIdx.x == 33) {
        flag[1 - blockIdx.x] = 9 + blockIdx.x;
    }
}"""


def test_threads_that_wait_by_volatile_reads_get_on() -> None:
    run, (_, out) = computed(Kernel(WAITS, "waits").prepare(2, 64, [np.zeros(2, np.int32), np.zeros(2, np.int32)]))
    assert run.completed
    assert out.tolist() == [10, 9]


ASSERTS = """#include <cassert>
__global__ void asserts(int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    assert(i != 1000);
}"""


def test_what_stops_a_launch_is_told_with_its_line() -> None:
    run, _ = computed(Kernel(ASSERTS, "asserts").prepare(64, 64, [np.zeros(4096, np.int32)]))
    assert not run.completed
    (found,) = run.findings
    assert isinstance(found, Crash)
    assert (found.accesses[0].line, found.accesses[0].thread, found.accesses[0].block) == (5, (40, 0, 0), (15, 0, 0))


DIVERGES = """
__global__ void diverges(int* out) {
    if (threadIdx.x < 20) __syncthreads();
    out[threadIdx.x] = 1;
    if (threadIdx.x >= 20) __syncthreads();
}"""


def test_a_barrier_goes_by_where_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes.unchecked, "_CALLED_FROM", "")
    other = DIVERGES + "  // compiled anew"
    run, _ = computed(Kernel(other, "diverges").prepare(1, 64, [np.zeros(64, np.int32)]))
    assert run.findings == ()  # inlined, both barriers seem to be called from one place


def test_barriers_are_those_that_all_threads_reach() -> None:
    run, _ = computed(Kernel(DIVERGES, "diverges").prepare(1, 64, [np.zeros(64, np.int32)]))
    assert [found.kind for found in run.findings] == ["BarrierDivergence"]


@pytest.mark.parametrize("head", ["linkonce_odr hidden i32", "hidden i32", "dso_local protected i32", "internal i32"])
def test_a_function_that_is_inlined_is_hidden_from_nobody(head: str) -> None:
    module = read_module(f"define {head} @twice(i32 %0) comdat {{\n  ret i32 %0\n}}\n")
    passes.allow_inlining(module)
    assert module.functions["@twice"].head.startswith("define internal i32 @twice(i32 %0) {")
