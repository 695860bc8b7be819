"""What goes wrong when a kernel is timed, and by how much; and two things that decide how fast it is.

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_measuring.py`. It takes half a minute
and writes measuring_<gpu>.csv beside itself. `experiment` tells the tables of the chapter on measuring apart:

  clocks       one launch by the host's clock, without and with waiting for the GPU, and by events
  first        the first launches of a process, by events; each of some processes gives one time
  between      other calls between the two events
  queue        a short launch, with the GPU idle before the first event, and with it still busy
  cache        a copy, with the L2 cache as the launch before left it, and emptied by writing or by reading
  idle         the first launch after the GPU had nothing to do for some seconds, with the queue kept full by
               another kernel before the first event, or empty; and the GPU's clock then
  load         cuBLAS on zeros and on random numbers, and after two seconds without a pause
  repeats      one launch 200 times; far_off counts those more than 5 % away from the median
  company      a copy alone, and while another stream multiplies matrices
  occupancy    a copy by four blocks a multiprocessor, with few or many warps each
  roofline     a kernel with as many operations for each byte as it is asked for

`ratio` is a row's median over that of the first row of its experiment with the same kernel and n.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from gemm_on_gpu import Compiled
from gemm_rungs import RUNGS
from measuring import Loaded, Row, Timer, by_events, machine, random, write
from timed_launches import Spin, Table, by_host, copier, many, product

from autograder.cuda.nvrtc.occupancy import GPUS, occupancy

PROCESSES = 5


def clocks(table: Table) -> Iterator[Row]:
    (big, operations), (small, moved) = product(2048), copier(1 << 18)
    for launch, kernel, n, work in (
        (big, "gemm_tiled", 2048, (operations, 0)),
        (small, "copy", 1 << 18, (0, moved)),
    ):
        for case, time_it in (
            ("events", partial(by_events, launch)),
            ("host with waiting", partial(by_host, launch, wait=True)),
            ("host without waiting", partial(by_host, launch, wait=False)),
        ):
            yield table.row("clocks", case, kernel, n, many(time_it), *work)


def first_launches() -> None:
    """Print how long this process's first ten launches took: of gemm_tiled; of gemm_tiled, compiled beforehand
    and loaded between the events of the first launch; and of cuBLAS."""
    (own, _), a, b = product(1024), random(1024, 1024), random(1024, 1024)
    c = cp.empty_like(a)
    module, compiled = cp.cuda.Module(), Compiled(RUNGS[1]).result
    args = (a, b, c, *map(np.int32, (1024, 1024, 1024)))

    loaded: list[Any] = []

    def load_and_launch() -> None:
        if not loaded:
            module.load(compiled.cubin)
            loaded.append(module.get_function(compiled.entry))
        loaded[0]((64, 64), (16, 16), args, shared_mem=2 * 4 * 16 * 16)

    for launch in own, load_and_launch, lambda: cp.matmul(a, b, out=c):
        print(*(by_events(launch) for _ in range(10)))


def first(table: Table) -> Iterator[Row]:
    command = [sys.executable, __file__, "first"]
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(PROCESSES)]
    processes = [[[float(word) for word in line.split()] for line in text.splitlines()] for text in said]
    for place, kernel in enumerate(("gemm_tiled", "gemm_tiled loaded late", "cuBLAS")):
        for number in (10, 1, 2, 3):
            times = [one[place][number - 1] for one in processes]
            yield table.row("first", f"launch {number}", kernel, 1024, times, operations=2 * 1024**3)


def between(table: Table) -> Iterator[Row]:
    (launch, operations), one = product(1024), cp.zeros(1, cp.float32)
    calls: dict[str, Callable[[], object]] = {
        "nothing": lambda: None,
        "asking for the device's properties": lambda: cp.cuda.runtime.getDeviceProperties(0),
        "cudaMalloc and cudaFree": lambda: cp.cuda.runtime.free(cp.cuda.runtime.malloc(1 << 20)),
        "copying one number to the host": one.get,
    }
    for case, call in calls.items():
        times = many(partial(by_events, launch, call))
        yield table.row("between", case, "gemm_tiled", 1024, times, operations=operations)


def queue(table: Table, spin: Spin) -> Iterator[Row]:
    nothing, out = Loaded("measuring/nothing.cu"), cp.zeros(1, cp.float32)
    copy, moved = copier(1 << 18)

    def idle_before(launch: Callable[[], object]) -> float:
        cp.cuda.Device().synchronize()
        return by_events(launch)

    for kernel, n, launch, work in (
        ("nothing", 0, lambda: nothing((1,), (32,), (out,)), (0, 0)),
        ("copy", 1 << 18, copy, (0, moved)),
    ):
        for case, time_it in (("busy", spin.before), ("idle", idle_before)):
            times = many(partial(time_it, launch), 100)
            yield table.row("queue", case, kernel, n, times, *work)


def cache(table: Table, spin: Spin) -> Iterator[Row]:
    other = cp.zeros(1 << 27, cp.uint8)  # more than the L2 cache holds
    assert other.nbytes > 2 * cp.cuda.runtime.getDeviceProperties(0)["l2CacheSize"]
    ways: dict[str, Callable[[], object]] = {
        "emptied by writing": lambda: other.fill(1),
        "emptied by reading": other.sum,
        "as it was": lambda: None,
    }

    def after(prepare: Callable[[], object], launch: Callable[[], object]) -> float:
        prepare()
        return spin.before(launch)

    for n in (1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28):
        launch, moved = copier(n)
        for case, prepare in ways.items():
            times = many(partial(after, prepare, launch))
            yield table.row("cache", case, "copy", n, times, moved=moved)


def idle(table: Table, spin: Spin) -> Iterator[Row]:
    launch, operations = product(1024)
    for seconds, runs in ((0, 20), (0.1, 5), (2, 3)):
        full, empty, clocks = [], [], []
        for turn in range(3 * runs):
            for _ in range(20):
                launch()
            cp.cuda.Device().synchronize()
            time.sleep(seconds)
            if turn % 3 == 0:
                clocks.append(spin.mhz())
            elif turn % 3 == 1:
                full.append(spin.before(launch))
            else:
                empty.append(by_events(launch))
        mhz = f"{np.median(clocks):.0f}"
        for queue, times in (("a full", full), ("an empty", empty)):
            case = f"{seconds:g} s with {queue} queue"
            yield table.row("idle", case, "gemm_tiled", 1024, times, operations=operations, mhz=mhz)


def load(table: Table, timer: Timer, spin: Spin) -> Iterator[Row]:
    n = 8192
    zero, c = cp.zeros((n, n), cp.float32), cp.empty((n, n), cp.float32)
    a, b = random(n, n), random(n, n)

    def multiply() -> None:
        cp.matmul(a, b, out=c)

    for case, call, before in (
        ("random numbers", multiply, 0),
        ("zeros", lambda: cp.matmul(zero, zero, out=c), 0),
        ("random numbers after 2 s of it", multiply, 100),
    ):
        for _ in range(before):
            call()
        times = many(partial(timer, call), 10)
        call()
        mhz = f"{spin.mhz():.0f}"
        yield table.row("load", case, "cuBLAS", n, times, operations=2 * n**3, mhz=mhz)


def repeats(table: Table, timer: Timer) -> Iterator[Row]:
    (big, operations), (small, moved) = product(1024), copier(1 << 20)
    for kernel, n, launch, work in (
        ("gemm_tiled", 1024, big, (operations, 0)),
        ("copy", 1 << 20, small, (0, moved)),
    ):
        times = many(partial(timer, launch), 200)
        yield table.row("repeats", "", kernel, n, times, *work)


def company(table: Table) -> Iterator[Row]:
    (copy, moved), n = copier(1 << 26), 4096
    a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
    other = cp.cuda.Stream(non_blocking=True)
    yield table.row("company", "alone", "copy", 1 << 26, many(lambda: by_events(copy)), moved=moved)

    def with_company() -> float:
        with other:
            for _ in range(4):
                cp.matmul(a, b, out=c)
        took = by_events(copy)
        cp.cuda.Device().synchronize()
        return took

    yield table.row("company", "beside a product", "copy", 1 << 26, many(with_company), moved=moved)


def occupancies(table: Table, timer: Timer) -> Iterator[Row]:
    n, shared, about = 1 << 27, 48 * 1024, cp.cuda.runtime.getDeviceProperties(0)
    gpu = GPUS[about["name"].decode().split()[-1]]
    x = random(n)
    out = cp.empty_like(x)
    for file in ("copy_in_turn", "copy_four_at_once"):
        kernel = Loaded(f"measuring/{file}.cu")
        for block in (512, 256, 128, 64, 32):
            fit = occupancy(gpu, block, kernel.result.registers, shared)
            grid = (fit.blocks_per_sm * about["multiProcessorCount"],)
            (times,) = timer.series(7, partial(kernel, grid, (block,), (x, out, np.int32(n)), shared))
            assert cp.array_equal(x, out)
            share = f"{fit.warps / fit.limit:.4g}"
            yield table.row(
                "occupancy", f"block {block}", file, n, times, moved=8 * n, warps=str(fit.warps), occupancy=share
            )


def roofline(table: Table, timer: Timer) -> Iterator[Row]:
    n, kernel = 1 << 26, Loaded("measuring/polynomial.cu")
    x = cp.random.random(n, dtype=cp.float32)
    out = cp.empty_like(x)
    for terms in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        launch = partial(kernel, (n // 256,), (256,), (x, out, np.int32(n), np.int32(terms)))
        (times,) = timer.series(10, launch)
        want = np.ones(1000)
        for _ in range(terms):
            want = want * x[:1000].get() + 0.5
        np.testing.assert_allclose(out[:1000].get(), want, rtol=1e-4)
        intensity = f"{2 * terms / 8:g}"
        case = "1 term" if terms == 1 else f"{terms} terms"
        yield table.row("roofline", case, "polynomial", n, times, 2 * terms * n, 8 * n, operations_per_byte=intensity)


def rows() -> Iterator[Row]:
    table, timer, spin = Table(), Timer(), Spin()
    yield from clocks(table)
    yield from first(table)
    yield from between(table)
    yield from queue(table, spin)
    yield from cache(table, spin)
    yield from idle(table, spin)
    yield from load(table, timer, spin)
    yield from repeats(table, timer)
    yield from company(table)
    yield from occupancies(table, timer)
    yield from roofline(table, timer)


if __name__ == "__main__":
    if sys.argv[1:] == ["first"]:
        first_launches()
    else:
        write("measuring", rows(), machine())
