"""How fast do copies between the host and the GPU go, and can a kernel run meanwhile?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_transfers.py`. It takes half a minute and
writes transfers_<gpu>.csv beside itself. `experiment` tells the tables apart:

  copy      one cudaMemcpyAsync of `bytes`, between the GPU and `memory` of the host: pageable, as malloc and new give
            it, or pinned, by cudaMallocHost
  overlap   pinned input to the GPU, the kernel celsius over it, its result back, `bytes` each way in `pieces` equal
            pieces, in `streams` streams in turn

Times are the host's, from before the first call until the GPU is done. `gbps` is `bytes` (both ways in `overlap`) by
the median; `ratio` is a row's median over that of the first row of its experiment.
"""

from collections.abc import Callable, Iterator
from ctypes import c_void_p
from functools import partial
from time import perf_counter
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, machine, summary, write

RUNS = 25
SIZES = (1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28)
#: How many bytes go each way, and in how many pieces and streams.
OVERLAPPED, WAYS = 1 << 28, ((1, 1), (8, 1), (8, 2), (8, 4), (32, 4))
BLOCK = 256


def pageable(floats: int) -> Any:
    return np.zeros(floats, np.float32)


def pinned(floats: int) -> Any:
    return np.frombuffer(cp.cuda.alloc_pinned_memory(4 * floats), np.float32, floats)


def address(host: Any) -> c_void_p:
    return c_void_p(host.ctypes.data)


def timed(call: Callable[[], object]) -> list[float]:
    """The times of RUNS calls in ms, each until the GPU is done; two more come first."""
    times = []
    for _ in range(RUNS + 2):
        cp.cuda.runtime.deviceSynchronize()
        begin = perf_counter()
        call()
        cp.cuda.runtime.deviceSynchronize()
        times.append(1e3 * (perf_counter() - begin))
    return times[2:]


def row(experiment: str, size: int, times: list[float], moved: int, first: float, **case: str | int) -> Row:
    columns = {"memory": "pinned", "direction": "both ways", "pieces": 1, "streams": 1, **case}
    rate = moved / 1e6 / float(np.median(times))
    ratio = float(np.median(times)) / first
    return {
        "experiment": experiment,
        **columns,
        "bytes": size,
        **summary(times),
        "gbps": f"{rate:.2f}",
        "ratio": f"{ratio:.3f}",
    }


def copies() -> Iterator[Row]:
    first = 0.0
    for size in SIZES:
        for memory, allocate in (("pageable", pageable), ("pinned", pinned)):
            on_host, on_gpu = allocate(size // 4), cp.empty(size // 4, cp.float32)
            on_host.fill(1)
            stream = cp.cuda.Stream(non_blocking=True)
            for direction, copy in (
                ("to the GPU", on_gpu.data.copy_from_host_async),
                ("to the host", on_gpu.data.copy_to_host_async),
            ):
                times = timed(partial(copy, address(on_host), size, stream))
                first = first or float(np.median(times))
                yield row("copy", size, times, size, first, memory=memory, direction=direction)


def overlapped() -> Iterator[Row]:
    kernel, floats = Loaded("celsius.cu"), OVERLAPPED // 4
    first = 0.0
    source, result = pinned(floats), pinned(floats)
    source[:] = np.arange(floats, dtype=np.float32) % 1000
    on_gpu, out = cp.empty(floats, cp.float32), cp.empty(floats, cp.float32)
    for pieces, streams in WAYS:
        queues, each = [cp.cuda.Stream(non_blocking=True) for _ in range(streams)], floats // pieces

        def convert(queues: Any = queues, each: int = each, pieces: int = pieces) -> None:
            for piece in range(pieces):
                part = slice(piece * each, (piece + 1) * each)
                with queues[piece % len(queues)] as queue:
                    on_gpu[part].data.copy_from_host_async(address(source[part]), 4 * each, queue)
                    kernel(((each + BLOCK - 1) // BLOCK,), (BLOCK,), (on_gpu[part], out[part], np.int32(each)))
                    out[part].data.copy_to_host_async(address(result[part]), 4 * each, queue)

        result.fill(0)
        times = timed(convert)
        assert np.array_equal(result, (source - np.float32(32)) / np.float32(1.8)), (pieces, streams)
        first = first or float(np.median(times))
        yield row("overlap", OVERLAPPED, times, 2 * OVERLAPPED, first, pieces=pieces, streams=streams)


def rows() -> Iterator[Row]:
    yield from copies()
    yield from overlapped()


if __name__ == "__main__":
    write("transfers", rows(), machine())
