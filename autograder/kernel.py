"""`Kernel`: CUDA C++ text that can be launched on a GPU or emulated, unchanged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from .backends import emulator, gpu
from .launch import Dims, prepare
from .occupancy import Resources, resources
from .report import describe
from .run import Run
from .signature import find_kernel


class Kernel:
    """A `__global__` function in CUDA C++ text.

    Args:
        source: the text. Line numbers in findings count from its first line.
        name: which kernel; may be a template instance, such as "blur<128>".

    Raises:
        UsageError: no such kernel in `source`.
    """

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name
        self.signature = find_kernel(source, name)

    def emulate(
        self,
        grid: Dims,
        block: Dims,
        args: Sequence[Any],
        shared_mem: int = 0,
        *,
        trace: bool = False,
        schedule: str = "forward",
        empty: Collection[str] = (),
    ) -> Run:
        """Run on the CPU emulator, with every check on.

        Args:
            grid, block: an int, or up to three ints.
            args: a C-contiguous numpy array for each pointer, a number for each scalar; arrays
                are copied, never modified.
            shared_mem: dynamic shared memory in bytes.
            trace: also record every access and barrier, in `Run.trace`.
            schedule: the order in which threads and blocks get their turns, within what the
                barriers allow: "forward", "backward", "warps" (the last warp first) or
                "random:<seed>". Findings and counts do not depend on it; what a kernel with a race
                computes does.
            empty: names of array arguments that hold no values yet; to read an element of one
                before it is written is then a finding.

        Raises:
            UsageError: the launch does not fit the kernel.
            GraderFault: the emulator itself failed.
        """
        launch = prepare(self.source, self.name, grid, block, args, shared_mem, empty)
        return emulator.run(launch, trace=trace, schedule=schedule)

    def run_on_gpu(self, grid: Dims, block: Dims, args: Sequence[Any], shared_mem: int = 0) -> Run:
        """Run on the GPU of this machine; same arguments as `emulate`.

        Raises:
            UsageError: no usable GPU (the message says why), or the launch does not fit.
        """
        return gpu.run(prepare(self.source, self.name, grid, block, args, shared_mem))

    def resources(self, arch: str) -> Resources:
        """What its machine code for `arch` (such as "sm_80") takes: registers, local and shared memory, as
        NVIDIA's compiler makes it. Needs no GPU.

        Raises:
            UsageError: there is no NVRTC, it does not know `arch`, or it does not take the text.
        """
        return resources(self.source, self.name, arch)

    def launch(self, grid: Dims, block: Dims, args: Sequence[Any], shared_mem: int = 0) -> tuple[np.ndarray, ...]:
        """Run on the GPU when there is one, else on the emulator; return the array arguments
        after the launch, in order.

        Raises:
            KernelError: the launch did not complete; `.run` holds its findings.
        """
        run = self.run_on_gpu if gpu.problem() is None else self.emulate
        result = run(grid, block, args, shared_mem)
        if not result.completed:
            raise KernelError(self.source, result)
        return result.outputs


class KernelError(RuntimeError):
    """A launch that did not complete: `run` holds what was found, `str` says it, `source` is the
    kernel's text."""

    def __init__(self, source: str, run: Run) -> None:
        super().__init__(source, run)
        self.source, self.run = source, run

    def __str__(self) -> str:
        return "\n\n".join(describe(finding, self.source) for finding in self.run.findings if finding.stops)
