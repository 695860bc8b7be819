"""`time_kernel`: how long a kernel takes on the GPU, measured with care."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import report
from ..backends import gpu
from ..core.launch import Dims, prepare
from ..errors import UsageError
from ..kernel import Kernel, KernelError


@dataclass(frozen=True)
class Timing:
    """How long a launch takes. `times` holds every timed launch, in milliseconds; `gpu` is the GPU's name.

    `flops` and `bytes` are what one launch computes and moves, as they were given; None if they were not.
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
        """The middle time, in milliseconds: one launch that was disturbed does not move it."""
        return float(np.median(self.times))

    @property
    def spread(self) -> float:
        """The interquartile range, in milliseconds: the middle half of the times lies within it."""
        low, high = np.percentile(self.times, [25, 75])
        return float(high - low)

    @property
    def gflops(self) -> float | None:
        """10^9 operations a second, by the median."""
        return None if self.flops is None else self.flops / self.median / 1e6

    @property
    def gbps(self) -> float | None:
        """10^9 bytes a second, by the median."""
        return None if self.bytes is None else self.bytes / self.median / 1e6

    @property
    def is_wide(self) -> bool:
        """Whether the spread is so wide that the median says little: more than a tenth of it."""
        return self.spread > report.WIDE * self.median

    def __str__(self) -> str:
        rates = {"GFLOP/s": self.gflops, "GB/s": self.gbps}
        return report.timing(self.times, self.median, self.spread, rates, self.gpu)


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
    """Time a kernel on this machine's GPU, by CUDA events, after a warm-up.

    Before each launch the arrays are put back to what was given, and the L2 cache is emptied of them: so
    every launch does the same work, with its inputs in global memory. The time is that of the kernel alone,
    without copies between host and GPU. It takes a few microseconds to begin and to end a launch, so a
    shorter kernel cannot be timed.

    Args:
        kernel, grid, block, args, shared_mem: as `Kernel.emulate` takes them.
        flops: floating-point operations of one launch; a multiply-add counts as two.
        bytes: bytes that one launch must read and write in global memory.
        runs: how many launches are timed.

    Raises:
        UsageError: no GPU can be used, or the launch does not fit.
        KernelError: the launch did not complete.
    """
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise UsageError(f"runs={runs!r} must be a number of launches, 1 or more.")
    launch = prepare(kernel.source, kernel.name, grid, block, args, shared_mem)
    (timed,) = gpu.time([launch], int(runs))
    if not timed.run.completed:
        raise KernelError(kernel.source, timed.run)
    return Timing(timed.times, timed.run.backend, flops, bytes)
