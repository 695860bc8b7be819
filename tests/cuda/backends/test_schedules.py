"""What the emulator reports about a kernel does not depend on the order in which it runs threads and blocks."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import inputs
import numpy as np
import pytest
import random_programs as rp
from test_corpus import FILES, run_file
from test_properties import INTERPRETER, WIDTHS, Author

from autograder import Kernel
from autograder.cuda.backends import emulator
from autograder.cuda.core.launch import IN_SERIES
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

SCHEDULES = ("forward", "backward", "warps", "lockstep", "turns", "random:1", "random:2")
ALL = (*SCHEDULES, *IN_SERIES)
#: How often these wait, or where they put what they have found, depends on the order on a GPU, too. And into how many
#: pieces a copy of a packed struct is cut, on the compiler.
ORDER_COUNTS = re.compile(
    r"while \((\(\w+ = )?(atomic|\*flag|!done)|atomicCAS|atomicAdd\((count, __popc|next, 1)"
    r"|cuda::(barrier|pipeline|atomic)|block_tile_memory|ld\.(acquire|relaxed)|mbarrier|packed"
)
#: Each takes seconds, always for the same finding: it never ends.
ENDLESS = "bad_endless_"
#: Not independent of the order yet, and why. One that becomes independent fails its test until it leaves this list.
MISSED = {
    "bad_spin_on_a_block_that_is_not_resident": "the block that sets the flag may be among the first",
    "bad_epilogue_of_groups_that_share_a_barrier": "which threads meet there",
    "bad_barrier_object_used_before_init": "whether it ends depends on what was in the object",
}


def verdict(run: Run) -> set[tuple[str, frozenset[int], frozenset[str]]]:
    """Kind, lines and arrays of every finding: which threads stand for it, and in which order, may differ. (So may the
    function in which a stack was full: frames are not the same when the kernel is optimized.)"""
    return {
        (
            f.kind,
            frozenset(a.line for a in f.accesses if getattr(f, "reason", "") != "stack overflow"),
            frozenset(a.array for a in f.accesses),
        )
        for f in run.findings
    }


def _parameters() -> list[Any]:
    missed = {name: [pytest.mark.xfail(reason=reason, strict=True)] for name, reason in MISSED.items()}
    return [
        pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=missed.get(path.stem, []))
        for path in FILES
        if not path.stem.startswith(ENDLESS)
    ]


@pytest.mark.sampled(one_in=16)
@pytest.mark.parametrize("path", _parameters())
def test_a_kernel_of_the_corpus(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 200_000)
    first = run_file(path, SCHEDULES[0])[1]
    # Nor does it depend on how the kernel is compiled: elsewhere, launches as small as these are not optimized.
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)
    runs = {schedule: run_file(path, schedule)[1] for schedule in SCHEDULES[1:]}
    for schedule, run in runs.items():
        assert verdict(run) == verdict(first), schedule
        # Of a request of a warp, a block that is put aside in the middle makes two.
        if first.completed and schedule != "turns" and not ORDER_COUNTS.search(path.read_text()):
            assert run.counts is not None and first.counts is not None
            assert asdict(run.counts) == asdict(first.counts), schedule


def emulate(table: np.ndarray, schedule: str) -> Run:
    arrays = [np.zeros(rp.ARRAY_BYTES, np.uint8) for _ in rp.GLOBAL]
    arguments = [table, table.shape[1], np.zeros(rp.FLAGS, np.uint32), *arrays]
    return INTERPRETER.emulate(rp.BLOCKS, rp.THREADS, arguments, schedule=schedule)


def arrays_with_races(run: Run) -> set[str]:
    return {f.accesses[0].array for f in run.findings}


@pytest.mark.sampled()
@pytest.mark.parametrize("schedule", SCHEDULES[1:])
def test_random_programs(schedule: str) -> None:
    """One race on an array may hide another, so only the arrays must be the same; each pair of lines must race. (That
    "forward" agrees with the oracle is up to test_properties.py.)"""
    for seed in range(60):
        for program in (Author(seed).barriers(WIDTHS), Author(seed).messages()):
            run = emulate(program.table(), schedule)
            pairs = rp.race_pairs(program.events)
            assert arrays_with_races(run) == {array for array, _ in pairs}, seed
            assert {(f.accesses[0].array, frozenset(a.line for a in f.accesses)) for f in run.findings} <= pairs, seed


def test_blocks_in_turn_lose_an_update_by_a_single_attempt() -> None:
    text = "__global__ void add(int* a) { int old = atomicAdd(a, 0); atomicCAS(a, old, old + 1); }"
    left = {s: int(Kernel(text, "add").emulate(8, 1, [np.zeros(1, np.int32)], schedule=s).outputs[0][0]) for s in ALL}
    assert left.pop("turns") == 1
    assert set(left.values()) == {8}


def test_in_step_active_lanes_are_those_of_one_branch_until_they_meet() -> None:
    text = """__global__ void ask(unsigned* a) {
        if (threadIdx.x < 16) a[threadIdx.x] = 1;
        a[threadIdx.x] = __activemask();
        __syncwarp();
        a[32 + threadIdx.x] = __activemask();
    }"""
    masks = Kernel(text, "ask").emulate(1, 32, [np.zeros(64, np.uint32)], schedule="lockstep").outputs[0]
    assert [hex(mask) for mask in masks[[0, 15, 16, 31]]] == ["0xffff", "0xffff", "0xffff0000", "0xffff0000"]
    assert set(masks[32:]) == {0xFFFFFFFF}
    assert set(Kernel(text, "ask").emulate(1, 32, [np.zeros(64, np.uint32)]).outputs[0]) == {0xFFFFFFFF}


def test_blocks_in_turn_keep_the_sums_of_their_own_barriers() -> None:
    text = "__global__ void sum(int* a) { a[blockIdx.x] = __syncthreads_count(threadIdx.x <= blockIdx.x); }"
    run = Kernel(text, "sum").emulate(4, 32, [np.zeros(4, np.int32)], schedule="turns")
    assert run.outputs[0].tolist() == [1, 2, 3, 4]


def test_a_barrier_opens_without_threads_that_have_ended_where_that_is_asked_for() -> None:
    text = """__global__ void half(int* a) {
        if (threadIdx.x < 20) return;
        a[threadIdx.x] = __syncthreads_count(1);
    }"""
    launch = Kernel(text, "half").prepare(2, 48, [np.zeros(48, np.int32)])
    assert not emulator.run(launch).completed
    run = emulator.run(launch.with_experiment(leave_early=True))
    assert run.outputs[0].tolist() == [0] * 20 + [28] * 28
