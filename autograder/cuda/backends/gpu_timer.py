"""Times launches with CUDA events, in the worker process, where no kernel can reach the clock.

Before each timed launch, we restore its arrays, and write twice as much other memory as the L2 cache can
hold. That way every launch does the same work, and finds its inputs in global memory, not in a cache that
the previous launch filled. We repeat the writes to keep the GPU busy for a millisecond while the host queues
the launch and both events, so the time between the events is the kernel's alone, without the host's. (A
cuBLAS call takes the host longer than a launch does.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .channel import Blob, Header
from .guards import Layout

#: Milliseconds of warm-up before the first timed launch: by then the GPU's clock is up to speed.
WARM_UP_MS = 50.0
MOST_WARM_UPS = 200
#: Milliseconds for which the GPU has other work while the host queues a launch.
BUSY_MS = 1.0


def arguments(is_array: Sequence[bool], blobs: Sequence[Blob], addresses: Sequence[int]) -> list[np.ndarray]:
    """A kernel's arguments for CuPy, in order: `addresses` replace arrays; other arguments are their bytes."""
    left = iter(addresses)
    # CuPy passes a numpy array of one element by value, no matter what its bytes mean.
    return [
        np.array(next(left), np.uint64) if array else np.frombuffer(blob, f"V{len(blob)}")
        for blob, array in zip(blobs, is_array, strict=True)
    ]


@dataclass(frozen=True)
class Timed:
    """A kernel to time: how it is launched, but for the arguments, and which of these are arrays.

    `function(grid, block, arguments, shared_mem=...)` launches it, as CuPy's functions do.
    """

    function: Callable[..., None]
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared_mem: int
    is_array: Sequence[bool]


def time_launches(
    cuda: Any, kernels: Sequence[Timed], repeats: int, blobs: Sequence[Blob], send: Callable[[Header], None]
) -> tuple[list[Header], list[Blob]]:
    """Time launches of `kernels`, which take turns: ({"damage", "times" in ms}, ...) and all their arrays.

    `blobs` has the arguments of a launch of each kernel, then of the next of each, and so on. Each launch runs
    `repeats` times. The first of each kernel also warms up the GPU before we time it.
    """
    runtime = cuda.runtime
    flush = cuda.Memory(2 * max(runtime.getDeviceProperties(0)["l2CacheSize"], 1 << 22))
    begin, end = cuda.Event(), cuda.Event()

    def flush_cache(times: int) -> float:
        begin.record()
        for _ in range(times):
            runtime.memsetAsync(flush.ptr, 0, flush.size, 0)
        end.record()
        runtime.deviceSynchronize()
        return float(cuda.get_elapsed_time(begin, end)) / times

    flush_cache(1)  # the first call is slow
    flushes = math.ceil(BUSY_MS / flush_cache(10))

    def time_one(at: int, given: Sequence[Blob], first: bool) -> tuple[Header, Sequence[Blob]]:
        kernel = kernels[at]
        arrays = [blob for blob, array in zip(given, kernel.is_array, strict=True) if array]
        layout = Layout.of([len(array) for array in arrays])
        before, memory = cuda.Memory(layout.total), cuda.Memory(layout.total)
        host = layout.fill(arrays)
        runtime.memcpy(before.ptr, host.ctypes.data, layout.total, runtime.memcpyHostToDevice)
        values = arguments(kernel.is_array, given, [memory.ptr + offset for offset in layout.offsets])

        def launch() -> float:
            send({"phase": "running", "series": at})
            runtime.memcpyAsync(memory.ptr, before.ptr, layout.total, runtime.memcpyDeviceToDevice, 0)
            for _ in range(flushes):
                runtime.memsetAsync(flush.ptr, 0, flush.size, 0)
            begin.record()
            kernel.function(kernel.grid, kernel.block, values, shared_mem=kernel.shared_mem)
            end.record()
            runtime.deviceSynchronize()
            return float(cuda.get_elapsed_time(begin, end))

        warm, count = 0.0, 0
        while first and warm < WARM_UP_MS and count < MOST_WARM_UPS:
            warm, count = warm + launch(), count + 1
        times = [launch() for _ in range(repeats)]
        send({"phase": "copying", "series": at})
        runtime.memcpy(host.ctypes.data, memory.ptr, layout.total, runtime.memcpyDeviceToHost)
        return {"damage": layout.damage(host), "times": times}, layout.arrays(host)

    done: list[Header] = []
    results: list[Blob] = []
    left = list(blobs)
    while left:
        first = not done
        for at, kernel in enumerate(kernels):
            given, left = left[: len(kernel.is_array)], left[len(kernel.is_array) :]
            result, arrays = time_one(at, given, first)
            done.append(result)
            results += arrays
    return done, results


def cublas_product(shapes: Sequence[Sequence[int]]) -> Callable[..., None]:
    """cuBLAS's C = A B for float32 matrices of `shapes` (M, K), (K, N), (M, N), with a kernel's call signature."""
    import cupy

    def product(grid: object, block: object, values: Sequence[np.ndarray], shared_mem: int) -> None:
        a, b, c = (_as_array(cupy, int(v), shape) for v, shape in zip(values, shapes, strict=False))
        cupy.matmul(a, b, out=c)

    return product


def _as_array(cupy: Any, address: int, shape: Sequence[int]) -> Any:
    size = 4 * int(np.prod(shape))
    memory = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(address, size, None), 0)
    return cupy.ndarray(tuple(shape), np.float32, memory)
