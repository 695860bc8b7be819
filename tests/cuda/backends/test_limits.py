"""Whatever a kernel does, its launch ends soon, takes bounded memory, and stops as the kernel's own finding."""

from __future__ import annotations

import resource
import threading
import time
from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import psutil
import pytest
from narrowing import only

from autograder import Kernel
from autograder.cuda.backends import emulator, processor_time
from autograder.cuda.core.findings import StepLimit
from autograder.cuda.core.protocol import CONSTANTS
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

#: What a thread can do for ever without an access of memory that makes a step.
STEPS = {
    "sleep": "for (;;) __nanosleep(1000000);",
    "sleep until a time that never comes": "for (long long t = clock64(); clock64() >= t;) __nanosleep(9);",
    "ask who is here": "for (;;) __activemask();",
    "wait for the warp": "for (;;) __syncwarp();",
    "shuffle": "for (;;) __shfl_sync(~0u, 1, 0);",
}


def emulate(body: str, block: int = 64) -> Run:
    return Kernel(f"__global__ void k(int* out)\n{{\n{body}\n}}\n", "k").emulate(1, block, [np.zeros(64, np.int32)])


@pytest.mark.parametrize("block", [32, 256])
@pytest.mark.parametrize("body", STEPS.values(), ids=STEPS)
def test_what_is_no_access_counts_as_running(body: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 100_000)
    monkeypatch.setattr(emulator, "IDLE_SECONDS", 1 << 20)
    stop = only(StepLimit, emulate(body, block).findings)
    assert (stop.reason, stop.accesses[0].line) == ("steps", 3)


def test_a_race_is_a_step_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as long as one: else a loop with races in each round would be stopped late."""
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 100_000)

    def stores(place: str) -> int:
        run = emulate(f"for (volatile int* all = out;;) all[{place}] = 1;")
        assert isinstance(run.findings[-1], StepLimit) and run.counts
        return run.counts.global_stores

    assert stores("threadIdx.x / 32") < 0.7 * stores("threadIdx.x")


def test_who_sleeps_until_another_thread_has_worked_is_not_stopped() -> None:
    done = emulate(
        "if (threadIdx.x == 32) { for (int i = 0; i < 9999; i++) out[2] += i; __threadfence(); atomicExch(out, 1); }"
        " else if (threadIdx.x == 0) { while (!atomicAdd(out, 0)) __nanosleep(100); out[1] = 5; }"
    )
    assert done.completed and not done.findings and done.outputs[0][1] == 5


@pytest.mark.parametrize("blocks", [1, 64])
def test_a_launch_of_which_no_thread_ends_is_stopped(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "IDLE_SECONDS", 1)
    text = (
        "__global__ void k(int* out)\n"
        "{ for (;;) { for (int i = 0; i < 1000; i++) out[64 * blockIdx.x + threadIdx.x]++; __syncthreads(); } }"
    )
    run = Kernel(text, "k").emulate(blocks, 64, [np.zeros(64 * blocks, np.int32)])
    assert only(StepLimit, run.findings).reason == "time"


@pytest.mark.parametrize("once", [False, True])
def test_a_check_has_less_patience_with_barriers(once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "MAX_BLOCK_WAITS_ONCE", 1000)
    text = "__global__ void k(int* out)\n{ for (int i = 0; i < 100; i++) { out[threadIdx.x]++; __syncthreads(); } }"
    launch = replace(Kernel(text, "k").prepare(1, 32, [np.zeros(32, np.int32)]), once=once)
    run = emulator.run(launch)
    assert run.completed is not once
    if once:
        assert only(StepLimit, run.findings).reason == "steps"


def test_what_this_process_computes_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text may cost our own passes more time than its launch takes."""
    monkeypatch.setattr(processor_time, "_until", None)
    processor_time.limit_launches(100)
    sum(range(10_000_000))
    assert processor_time.seconds_left() < 99.95


def test_a_limit_of_the_shell_stops_a_launch_like_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would kill the runner, and the kernel would seem to have crashed."""
    monkeypatch.setattr(processor_time, "_until", None)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (30, 40))
    assert processor_time.seconds_left() == 29


def test_launches_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of this kernel end again and again, but the launch doesn't in any reasonable time."""
    text = (
        "__global__ void k(int* out)\n"
        "{ for (int i = 0; i < 30000; i++) { out[threadIdx.x]++; if (i % 100 == 0) __syncthreads(); } }"
    )
    Kernel(text, "k").emulate(1, 32, [np.zeros(64, np.int32)])  # compiles
    monkeypatch.setattr(processor_time, "_until", None)
    processor_time.limit_launches(1)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for _ in range(3):
        run = Kernel(text, "k").emulate(100_000, 32, [np.zeros(64, np.int32)])
        assert only(StepLimit, run.findings[-1:]).reason == "time"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 6


HOGS = {
    "fences": "for (;;) { __threadfence(); atomicAdd(out + threadIdx.x, 1); }",
    "asynchronous copies": "__shared__ int s[64]; for (;;) __pipeline_memcpy_async(s + threadIdx.x, out, 4);",
}


@pytest.mark.sampled()
@pytest.mark.parametrize("body", HOGS.values(), ids=HOGS)
def test_a_launch_that_makes_the_runtime_remember_more_and_more_is_stopped(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulator, "MEMORY", 4 << 20)
    text = f"#include <cuda_pipeline.h>\n__global__ void k(int* out)\n{{\n{body}\n}}\n"
    runs = [Kernel(text, "k").emulate(1, 64, [np.zeros(64, np.int32)]) for _ in range(2)]
    assert only(StepLimit, runs[0].findings[-1:]).reason == "memory"
    assert runs[0].counts == runs[1].counts  # at the same access each time


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize(("functions", "ends"), [(63, True), (65, False)])
def test_a_launch_with_more_different_accesses_than_are_counted_is_stopped(functions: int, ends: bool) -> None:
    """After the last, requests would cost nothing."""
    reads = "".join(f"__device__ int f{i}(volatile int* p) {{ {'*p; ' * 64} return 0; }}\n" for i in range(functions))
    calls = "".join(f"f{i}(p); " for i in range(functions))
    run = Kernel(f"{reads}__global__ void k(int* p) {{ {calls} }}", "k").emulate(1, 1, [np.zeros(1, np.int32)])
    assert run.completed == ends
    assert ends or [getattr(finding, "reason", "") for finding in run.findings] == ["many accesses"]


def test_the_process_has_limits_that_no_kernel_lifts() -> None:
    limits, _ = look_at_a_launch()
    assert limits[resource.RLIMIT_FSIZE] == (CONSTANTS["MAX_ANSWER"],) * 2
    assert emulator.CPU_SECONDS < limits[resource.RLIMIT_CPU][1] < emulator.CPU_SECONDS + 10
    # Shadow memory is reserved in address space, and only used where there are arrays.
    assert emulator.MEMORY < limits[resource.RLIMIT_AS][1] < 24 << 30
    assert limits[resource.RLIMIT_NPROC] == limits[resource.RLIMIT_CORE] == (0, 0)


def test_the_runtimes_memory_is_nowhere_near_what_a_kernel_writes() -> None:
    distances = set()
    for _ in range(2):
        _, maps = look_at_a_launch()
        lines = [line.split(maxsplit=5) for line in maps.splitlines()]
        ranges = [
            ([int(n, 16) for n in line[0].split("-")], line[1], line[5] if len(line) > 5 else "") for line in lines
        ]
        (arena,) = (start for (start, _), _, name in ranges if name.startswith("/memfd:arena"))
        # By far the largest of what has no name is the shadow memory of the arena.
        shadow = max((end - start, start) for (start, end), may, name in ranges if not name and may.startswith("rw"))[1]
        distances.add(arena - shadow)
        # The window has what the kernel may write, and closed pages around it; right before it, where the thread is
        # that runs.
        window = arena >> 32 << 32
        inside = {name for (start, end), _, name in ranges if start < window + (1 << 32) and end > window}
        assert inside <= {"", next(name for _, _, name in ranges if name.startswith("/memfd:arena")), *modules(ranges)}
        assert [may for (_, end), may, _ in ranges if end == window] == ["rw-p"]
        assert [may for (start, end), may, _ in ranges if start <= window + (1 << 32) < end] == ["---p"]
    assert len(distances) == 2 and min(map(abs, distances)) > 1 << 40


def modules(ranges: list[tuple[list[int], str, str]]) -> set[str]:
    return {name for _, _, name in ranges if name.endswith("/module.so")}


def look_at_a_launch() -> tuple[dict[int, tuple[int, int]], str]:
    """The limits and the memory of the emulator's process, once its sandbox is closed."""
    body = "for (int i = 0; i < 9000000; i++) out[threadIdx.x]++;"
    running = threading.Thread(target=emulate, args=[body, 1])
    running.start()
    try:
        return look_at_child()
    finally:
        running.join()


def look_at_child() -> tuple[dict[int, tuple[int, int]], str]:
    names = ("RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_CORE")
    for _ in range(2000):
        for child in psutil.Process().children(recursive=True):
            try:
                limits = {getattr(resource, name): child.rlimit(getattr(psutil, name)) for name in names}
                maps = Path(f"/proc/{child.pid}/maps").read_text()
            except (psutil.NoSuchProcess, OSError):
                continue
            if limits[resource.RLIMIT_NPROC] == (0, 0) and limits[resource.RLIMIT_AS][0] > 0:
                return limits, maps
        time.sleep(0.005)
    raise AssertionError("no process of the emulator was seen")
