"""What a machine offers to run launches with; a session passes it in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...cuda.core.findings import Access
from ...cuda.core.launch import Launch, Series
from ...cuda.core.run import Expected, Run, TimedRun
from ..result import OnResult, print_passed

Backend = Callable[[Launch], Run]
#: Times launches of several kernels, which take turns, on a GPU: `backends.gpu.time`.
TimeLaunches = Callable[[Sequence[Series]], tuple[tuple[TimedRun, ...], ...]]
#: Looks for an order of the threads in which a race of an emulated run makes an output wrong, and for the evidence
#: that a picture is drawn from.
Explain = Callable[[Launch, Run, Mapping[str, Expected]], Run]
#: Finds what left an element of an output as it is: `schedules.writers.find_writer`.
FindWriter = Callable[[Launch, Run, str, int], Access | None]
#: Runs a launch in an order of its threads: "backward", "lockstep", "random:1"; see `backends.emulator.run`.
Reorder = Callable[[Launch, str], Run]
#: How many loads from global memory a launch begins early, how many late, and how many it makes:
#: `schedules.early_loads.early_loads`.
FindEarly = Callable[[Launch, Run], tuple[int, int, int] | None]
#: How many numbers lie ready before anybody uses what another thread loaded: `schedules.loads_ahead.loads_ahead`.
FindAhead = Callable[[Launch, Run], int]
#: Runs many small launches for their results alone: `backends.emulator_sweep.run_each`.
Sweep = Callable[[Iterable[Launch]], Sequence[Run | None]]


@dataclass(frozen=True)
class Tools:
    """What checks use of a machine.

    Args:
        emulate: runs a launch on the emulator.
        gpu: runs a launch on the GPU; None if there is none.
        time: times launches on the GPU; None if there is none.
        explain: gives the run of a launch that has a race a counterexample; None for no counterexamples.
        find_writer: finds what wrote an element that is wrong; None if nobody looks.
        show_printed: takes what a launch printed, in words; None to leave it unsaid.
        reorder: runs a launch on the emulator in another order of its threads; None to try no other.
        find_early: finds how many loads a launch begins early, and how many late; None if nobody looks.
        find_ahead: finds how far who loads runs ahead of who uses it; None if nobody looks.
        sweep: runs many small launches on the emulator; None to try no small sizes.
        shrink: whether to look for the smallest case that fails, for its report.
        on_result: takes each check's result; a report comes here before it is raised.
    """

    emulate: Backend
    gpu: Backend | None = None
    time: TimeLaunches | None = None
    explain: Explain | None = None
    find_writer: FindWriter | None = None
    show_printed: Callable[[str], None] | None = None
    reorder: Reorder | None = None
    find_early: FindEarly | None = None
    find_ahead: FindAhead | None = None
    sweep: Sweep | None = None
    shrink: bool = False
    on_result: OnResult = print_passed
