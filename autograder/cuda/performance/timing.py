"""`time_kernel`: measures how long a kernel takes on the GPU, with care."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..backends import gpu
from ..core.launch import Dims, Series
from ..errors import UsageError
from ..kernel import Kernel, KernelError
from ..report.timing import WIDE, timing


@dataclass(frozen=True)
class Timing:
    """How long a launch takes. `times` has every timed launch, in milliseconds; `gpu` is the GPU's name.

    `flops` and `bytes` are what one launch computes and moves, as the caller gave them; None if not given.
    """

    times: tuple[float, ...]
    gpu: str
    flops: float | None = None
    bytes: float | None = None

    @property
    def runs(self) -> int:
        """How many launches were timed."""
        return len(self.times)

    @property
    def median(self) -> float:
        """The median time in milliseconds, which one disturbed launch doesn't shift."""
        return float(np.median(self.times))

    @property
    def spread(self) -> float:
        """The interquartile range in milliseconds, the width of the middle half of the times."""
        low, high = np.percentile(self.times, [25, 75])
        return float(high - low)

    @property
    def gflops(self) -> float | None:
        """Billions of operations per second, from the median."""
        return None if self.flops is None else self.flops / self.median / 1e6

    @property
    def gbps(self) -> float | None:
        """Billions of bytes per second, from the median."""
        return None if self.bytes is None else self.bytes / self.median / 1e6

    @property
    def is_wide(self) -> bool:
        """Whether the spread exceeds a tenth of the median, so that the median says little."""
        return self.spread > WIDE * self.median

    def __str__(self) -> str:
        rates = {"GFLOP/s": self.gflops, "GB/s": self.gbps}
        return timing(self.times, self.median, self.spread, rates, self.gpu)


def time_kernel(
    kernel: Kernel,
    grid: Dims,
    block: Dims,
    args: Sequence[Any],
    *,
    shared_mem: int = 0,
    flops: float | None = None,
    bytes: float | None = None,
    runs: int = 20,
) -> Timing:
    """Time a kernel on this machine's GPU with CUDA events, after a warm-up.

    Before each launch, we restore the arrays to the values given and flush them from the L2 cache, so
    every launch does the same work with its inputs in global memory. The time is the kernel's alone,
    without copies between host and GPU. Starting and ending a launch takes a few microseconds, so
    this can't time a shorter kernel.

    Args:
        kernel, grid, block, args, shared_mem: as for `Kernel.emulate`.
        flops: floating-point operations in one launch; a multiply-add counts as two.
        bytes: bytes that one launch must read and write in global memory.
        runs: how many launches to time.

    Raises:
        UsageError: there is no usable GPU, or the launch doesn't fit.
        KernelError: the launch did not complete.
    """
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise UsageError(f"runs={runs!r} must be a number of launches, 1 or more.")
    launch = kernel.prepare(grid, block, args, shared_mem)
    ((timed,),) = gpu.time([Series([launch])], int(runs))
    if not timed.run.completed:
        raise KernelError(kernel.source, timed.run)
    return Timing(timed.times, timed.run.backend, flops, bytes)
