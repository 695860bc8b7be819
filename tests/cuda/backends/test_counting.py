"""A run that only counts has the same counts as a run with every check; and hooks that are inlined into a kernel leave
nothing within the kernel's reach."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import pytest
from narrowing import counts_of
from test_corpus import FILES, read_header, run_file

from autograder.cuda.backends import emulator
from autograder.cuda.compiler import machine_code
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.device_ir import as_x86
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.front_end import TO_IR
from autograder.cuda.compiler.ir import Module, read_module
from autograder.cuda.compiler.kernel_flags import kernel_flags
from autograder.cuda.compiler.passes import access_numbers
from autograder.cuda.compiler.passes.loops import mark_loops
from autograder.cuda.core.findings import Crash, Kind
from autograder.cuda.core.protocol import CONSTANTS
from autograder.cuda.kernel import Kernel

pytestmark = [inputs.emulation, pytest.mark.usefixtures("optimized")]

#: What these do depends on the order in which blocks and warps meet, or they print an address, which changes each time.
_CHANGING = "fence spin lock flag atomic last_block grid turn pointer_to"
CLEAN = [p for p in FILES if p.stem.startswith("good_") and not any(word in p.stem for word in _CHANGING.split())]


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("path", CLEAN[::3], ids=lambda path: path.stem)
def test_without_checks_the_counts_and_the_outputs_are_the_same(path: Path) -> None:
    header, checked = run_file(path)
    values = [v.copy() if isinstance(v, np.ndarray) else v for v in header.args.values()]
    kernel = Kernel(path.read_text(), read_header(path.read_text()).kernel)
    counted = kernel.emulate(header.grid, header.block, values, header.shared_mem, empty=header.empty, checks=False)
    assert counted.counts == checked.counts
    assert [a.tobytes() for a in counted.outputs] == [a.tobytes() for a in checked.outputs]
    assert not counted.findings


RACE = """__global__ void k(float* out) {
    __shared__ float tile[64];
    float taps[2];
    tile[threadIdx.x] = 1;
    out[threadIdx.x] = tile[63 - threadIdx.x] + tile[(threadIdx.x + 1) % 64] + taps[threadIdx.x % 2];
}"""


def test_without_checks_nothing_is_found_that_does_not_stop_the_launch() -> None:
    checked, counted = (
        Kernel(RACE, "k").emulate(1, 64, [np.zeros(64, np.float32)], checks=checks) for checks in (True, False)
    )
    assert {f.kind for f in checked.findings} == {Kind.RACE, Kind.UNINITIALIZED_READ}
    assert counted.completed and counted.findings == ()
    assert counted.counts == checked.counts


def test_without_checks_what_stops_a_launch_is_still_found() -> None:
    text = "__global__ void k(float* out) { out[threadIdx.x] = 1; }"
    (finding,) = Kernel(text, "k").emulate(1, 64, [np.zeros(63, np.float32)], checks=False).findings
    assert (finding.kind, finding.accesses[0].thread) == (Kind.OUT_OF_BOUNDS, (63, 0, 0))


# Thread 0 goes first in the first loop, and thread 1 in the second: the runtime does not see thread 1's accesses in the
# first.
TWO_LOOPS = """__global__ void k(const float* a, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    if (threadIdx.x == 1)
        for (int i = 0; i < n; i++) sum += a[i];
    out[threadIdx.x] = sum;
}"""


@pytest.mark.parametrize(("limit", "kinds"), [(50_000, (Kind.STEP_LIMIT,)), (80_000, ())])
def test_accesses_that_the_runtime_is_not_told_of_are_steps_too(
    limit: int, kinds: tuple[Kind, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulator, "MAX_THREAD_STEPS", limit)
    run = Kernel(TWO_LOOPS, "k").emulate(1, 2, [np.zeros(35_000, np.float32), np.zeros(2, np.float32), 35_000])
    assert tuple(f.kind for f in run.findings) == kinds


# More accesses than are inlined; the last one is a race, and the one before it is beyond the array if `n` is.
MANY = """__global__ void k(float* out, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = 0;
%s
    __syncwarp();
    out[threadIdx.x + n] = 1;
    out[threadIdx.x / 2] = 2;
}"""


@pytest.mark.parametrize("threads", [0, 1 << 20])
def test_accesses_are_counted_and_found_alike_whether_optimized_or_not(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", threads)
    lines = "    for (int i = 0; i < 4; i++) tile[threadIdx.x] += 1;\n" * 20
    kernel = Kernel(MANY % lines, "k")
    counts = counts_of(kernel.emulate(1, 32, [np.zeros(32, np.float32), 0], checks=False))
    assert (counts.shared_loads, counts.shared_load_requests, counts.shared_stores) == (2560, 80, 2592)
    (race, *_) = kernel.emulate(1, 32, [np.zeros(32, np.float32), 0]).findings
    assert (race.kind, {a.line for a in race.accesses}) == (Kind.RACE, {27})
    (outside,) = kernel.emulate(1, 32, [np.zeros(32, np.float32), 1]).findings
    assert (outside.kind, outside.accesses[0].line, outside.accesses[0].thread) == (Kind.OUT_OF_BOUNDS, 26, (31, 0, 0))


LOOPS = """__global__ void k(float* a, float4* b, double* c, int n) {
    for (int i = 0; i < n; i++) { a[i] += a[2 * i] * a[3 * i] + b[i].x; c[i] = c[n - i]; b[i] = b[2 * i]; }
}"""


def apply(change: Callable[[Module], None], path: Path) -> None:
    module = read_module(path.read_text())
    change(module)
    path.write_text(module.text())


@pytest.mark.parametrize("which", ["hooks", "counting_hooks"])
def test_each_access_reads_the_runtimes_state_anew(tmp_path: Path, which: str) -> None:
    """What a hook leaves for the next one changes with each access, and while the thread waits."""
    (tmp_path / "kernel.cu").write_text(LOOPS)
    runtime = build_runtime()
    flags = kernel_flags(runtime, LOOPS)
    steps = [
        [*flags, *TO_IR, "kernel.ll", "kernel.cu"],
        [*machine_code.INSTRUMENT, "-emit-llvm", "kernel.ll", "-o", "told.ll"],
    ]
    for step in steps:
        assert clang(step, tmp_path) is None
        if step[-1] == "kernel.cu":
            ir = tmp_path / "kernel.ll"
            ir.write_text(as_x86(ir.read_text()))
            apply(mark_loops, ir)
    apply(access_numbers.number_accesses, tmp_path / "told.ll")
    inlined = ["-mlink-builtin-bitcode", str(getattr(runtime, which))]
    assert clang([*machine_code.OPTIMIZE, *inlined, "-emit-llvm", "told.ll", "-o", "out.ll"], tmp_path) is None
    out = (tmp_path / "out.ll").read_text()
    reported = re.findall(r"call preserve_allcc void @emu_numbered_\w+\(i32 noundef (\d+),", out)
    assert sorted(map(int, reported)) == list(range(7))  # each access is still there, once
    # What GS points to can be named only in an access; and each reads anew where its turns are, and its place.
    requested = re.findall(r"(volatile )?(?:i64|ptr)(?: %[\w.]+)?, ptr addrspace\(256\) inttoptr \(i64 (-\d+)", out)
    assert requested and all(volatile for volatile, _ in requested)
    words = [int(word) + CONSTANTS["RUNNING_BEFORE"] for _, word in requested]
    marks = (tmp_path / "told.ll").read_text().count("inttoptr (i64 -")
    assert words.count(8) == 7
    assert words.count(0) >= 7 + marks


MANY_ACCESSES = """__global__ void few_numbers(const float* a, double* b, float4* c, int n) {
    __shared__ float tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < n; i++) b[threadIdx.x] += tile[63 - threadIdx.x];
    c[threadIdx.x] = c[threadIdx.x + 64];
}"""


def test_accesses_beyond_the_last_number_are_told_of_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_numbers, "_MAX_NUMBERS", 2)
    arrays = [np.ones(64, np.float32), np.zeros(64), np.zeros(512, np.float32)]
    run = Kernel(MANY_ACCESSES, "few_numbers").emulate(1, 64, [*arrays, 10])
    assert not run.findings and (run.outputs[1] == 10).all()
    counts = run.counts
    assert counts is not None
    assert (counts.shared_loads, counts.shared_stores) == (640, 64)
    assert (counts.global_loads, counts.global_stores) == (64 + 640 + 64, 640 + 64)
    assert (counts.global_load_sectors, counts.shared_load_conflicts) == (8 + 16 * 10 + 32, 0)


LANES = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
namespace cg = cooperative_groups;
__global__ void k(int* out, int n) {
    __shared__ int fixed[8];
    extern __shared__ int asked[];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int mine = threadIdx.x;
    if (n == 1) mine = __shfl_xor_sync(~0u, mine, 1);
    if (n == 2) mine = warp.shfl_down(mine, 1);
    if (n == 3) mine = __reduce_add_sync(~0u, mine);
    if (n == 4) mine = warp.ballot(mine) + __any_sync(~0u, mine) + __match_any_sync(~0u, mine);
    if (n == 5) mine = cg::reduce(warp, mine, cg::plus<int>());
    if (n == 6) atomicCAS(out, 0, mine), atomicAdd(out, 0);
    if (n == 7) { int zero = 0; cuda::atomic_ref<int>(*out).compare_exchange_strong(zero, mine); }
    if (n == 9) mine = __activemask();
    if (n == 10) mine = __syncthreads_count(mine > 7);
    if (n == 11) mine = cg::inclusive_scan(warp, mine);
    if (n == 12) {
        __shared__ cub::WarpReduce<int>::TempStorage storage;
        mine = cub::WarpReduce<int>(storage).Sum(mine);
    }
    __syncwarp();
    if (n == 8) fixed[mine % 8] = asked[mine] = 1;  // declared, and so taken
}"""


@pytest.mark.parametrize(
    ("what", "shuffles", "votes", "combinations", "swaps"),
    [
        (0, 0, 0, 0, 0),
        (1, 32, 0, 0, 0),
        (2, 32, 0, 0, 0),
        (3, 0, 32, 32, 0),
        (4, 0, 96, 0, 0),
        (5, 0, 160, 160, 0),  # five halvings
        (6, 0, 0, 0, 32),
        (7, 0, 0, 0, 32),
        (9, 0, 32, 0, 0),
        (10, 0, 32, 32, 0),
        (11, 0, 160, 160, 0),
        (12, 0, 160, 160, 0),
    ],
)
def test_what_lanes_tell_each_other_and_swaps_are_counted(
    what: int, shuffles: int, votes: int, combinations: int, swaps: int
) -> None:
    run = Kernel(LANES, "k").emulate(1, 32, [np.zeros(1, np.int32), what], shared_mem=128)
    counts = run.counts
    assert counts is not None and run.completed
    assert (counts.shuffles, counts.votes, counts.compare_and_swaps) == (shuffles, votes, swaps)
    assert counts.combinations == combinations
    assert run.static_shared == 33  # an empty TempStorage is a byte


WAITS = """
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void waits(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    if (threadIdx.x == 0) init(&meet, 128);
    __syncthreads();
    if (WHAT == 1) meet.arrive_and_wait(), meet.arrive_and_wait();
    if (WHAT == 2) meet.wait(meet.arrive());
    if (WHAT == 3) cg::tiled_partition<64>(block).sync();
    if (WHAT == 4) {
        auto stages = cuda::make_pipeline(block, &state);
        stages.producer_acquire();
        stages.producer_commit();
        stages.consumer_wait();
        stages.consumer_release();
    }
}"""


@pytest.mark.parametrize(("what", "waits"), [(0, 2), (1, 4), (2, 3), (3, 3), (4, 4)])
def test_waits_at_barriers_of_all_names_are_counted(what: int, waits: int) -> None:
    counts = Kernel(WAITS.replace("WHAT", str(what)), "waits").emulate(1, 128, [np.zeros(1, np.int32)]).counts
    assert counts is not None
    assert counts.barriers == 128 * waits


def test_a_barrier_of_the_grid_wants_a_cooperative_launch() -> None:
    text = "#include <cooperative_groups.h>\n__global__ void k() { cooperative_groups::this_grid().sync(); }"
    launch = Kernel(text, "k").prepare(2, 32, [])
    assert emulator.run(launch).completed
    (crash,) = emulator.run(replace(launch, cooperative=False)).findings
    assert isinstance(crash, Crash) and crash.reason == "grid barrier"


def test_blocks_on_several_cores_count_together() -> None:
    text = """__constant__ float factor = 2;
    __global__ void k(float* out) {
        float mine = factor * __shfl_xor_sync(~0u, float(threadIdx.x), 1);
        out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
    }"""
    run = Kernel(text, "k").emulate(64, 128, [np.zeros(64 * 128, np.float32)])
    assert run.counts is not None
    assert (run.counts.constant_loads, run.counts.shuffles) == (64 * 128, 64 * 128)
