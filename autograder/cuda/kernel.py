"""`Kernel`: CUDA C++ text that runs unchanged on a GPU or on the emulator."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .backends import emulator, gpu
from .compiler.forbidden import find_forbidden
from .compiler.toolchain import describe as describe_kernel
from .core.findings import Finding
from .core.launch import Dims, Launch, prepare
from .core.numerics import tolerance
from .core.run import Expected, Run
from .core.signature import Signature
from .errors import UsageError
from .report import describe
from .report.refusals import describe_refusal
from .schedules.counterexamples import find_counterexample

if TYPE_CHECKING:
    from .nvrtc.occupancy import Resources


class Kernel:
    """A `__global__` function in CUDA C++ text, which the compiler has read. If the text does not compile, `refusal`
    says why, and so does each launch; the `signature` then has no parameters.

    Args:
        source: the text. Line numbers in findings count from its first line.
        name: the kernel to launch; may be a template instance, such as "blur<128>".

    Raises:
        UsageError: `source` compiles and has no such kernel.
        MachineFault: this machine can't run the compiler.
    """

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name
        described = describe_kernel(source, name)
        self.refusal = described if isinstance(described, Finding) else None
        self.signature = Signature(name, ()) if isinstance(described, Finding) else described

    def prepare(
        self,
        grid: Dims,
        block: Dims,
        args: Sequence[Any],
        shared_mem: int = 0,
        empty: Collection[str] = (),
    ) -> Launch:
        """Validate a launch, with the arguments of `emulate`.

        Raises:
            UsageError: it doesn't fit the kernel.
        """
        return prepare(self.source, self.signature, grid, block, args, shared_mem, empty, self.refusal)

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
        expected: Mapping[str, np.ndarray] | None = None,
        checks: bool = True,
    ) -> Run:
        """Run on the CPU emulator with every check on.

        Args:
            grid, block: an int, or up to three ints.
            args: a C-contiguous numpy array for each pointer, a number for each scalar; arrays
                are copied, never modified.
            shared_mem: dynamic shared memory in bytes.
            trace: also record every access and barrier, in `Run.trace`.
            schedule: the order in which threads and blocks run, within what the barriers allow:
                "forward", "backward", "warps" (the last warp first), "lockstep" (each thread of a
                block makes one access in turn), "turns" (and each block, too), "random:<seed>", "series" and
                "series-backward" (one block after the other), or the schedule of a `Counterexample`.
                Findings and counts don't depend on it (but in "turns", a warp makes more requests); the results of a
                kernel with a race do.
            empty: names of array arguments that hold no values yet; reading an element of one
                before writing it is then a finding.
            expected: what array arguments should hold after the launch, by name. If the launch has
                a race, up to eight more runs look for an order of the threads in which the race makes
                one of these arrays wrong; `Run.counterexample` is that order, or None. A float may
                differ by as much as `autograder.cuda.core.numerics.tolerance` allows for one term.
            checks: pass False to skip the search for races and uninitialized reads. That is faster
                if you only want `Run.counts`. `Run.findings` then only says what stopped the launch,
                and the results of a kernel with a race, and perhaps its counts, depend on the order
                of its blocks.

        Raises:
            UsageError: the launch doesn't fit the kernel, or `expected` doesn't fit the arguments.
            GraderFault: the emulator itself failed.
        """
        launch = self.prepare(grid, block, args, shared_mem, empty)
        wanted = _expected(launch, expected or {})
        run = emulator.run(launch, trace=trace, schedule=schedule, checks=checks)
        return find_counterexample(launch, run, wanted) if wanted else run

    def run_on_gpu(self, grid: Dims, block: Dims, args: Sequence[Any], shared_mem: int = 0) -> Run:
        """Run on this machine's GPU; takes the same arguments as `emulate`.

        Raises:
            UsageError: no usable GPU (the message says why), or the launch doesn't fit.
        """
        return gpu.run(self.prepare(grid, block, args, shared_mem))

    def resources(self, arch: str) -> Resources:
        """Registers, local memory, and shared memory that the kernel's machine code for `arch` (such as
        "sm_80") uses, as compiled by NVIDIA's compiler. Needs no GPU.

        Raises:
            UsageError: NVRTC is missing, doesn't know `arch`, or rejects the text.
        """
        from .nvrtc.occupancy import measure

        if found := find_forbidden(self.source):
            raise UsageError(f"Line {found.line} of the text holds {describe_refusal(found.construct, found.reason)}.")
        return measure(self.source, self.name, arch)

    def launch(self, grid: Dims, block: Dims, args: Sequence[Any], shared_mem: int = 0) -> tuple[np.ndarray, ...]:
        """Run on the GPU, if there is one and it has what the kernel uses, else on the emulator; return the array
        arguments after the launch, in order.

        Raises:
            KernelError: the launch did not complete; `.run` has its findings.
        """
        on_gpu = gpu.problem() is None and not gpu.is_too_old_for(self.source)
        run = self.run_on_gpu if on_gpu else self.emulate
        result = run(grid, block, args, shared_mem)
        if not result.completed:
            raise KernelError(self.source, result)
        return result.outputs


def _expected(launch: Launch, expected: Mapping[str, np.ndarray]) -> dict[str, Expected]:
    if launch.refusal:
        return {}
    arrays = dict(zip(launch.array_names, launch.arrays, strict=True))
    for name, want in expected.items():
        if name not in arrays:
            raise UsageError(f"expected[{name!r}] is no array argument of {launch.name}: use {', '.join(arrays)}.")
        if np.shape(want) != arrays[name].shape:
            raise UsageError(
                f"expected[{name!r}] has shape {np.shape(want)} but the argument has shape {arrays[name].shape}: "
                "make them the same."
            )
    return {
        name: Expected(np.asarray(want), tolerance(np.asarray(want), arrays[name].dtype, 1))
        for name, want in expected.items()
    }


class KernelError(RuntimeError):
    """A launch that did not complete: `run` has the findings, `str` describes them, `source` is the
    kernel's text."""

    def __init__(self, source: str, run: Run) -> None:
        super().__init__(source, run)
        self.source, self.run = source, run

    def __str__(self) -> str:
        return "\n\n".join(describe(finding, self.source) for finding in self.run.findings if finding.stops)
