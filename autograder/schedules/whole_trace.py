"""The trace of a launch, where it holds all that the launch does."""

from __future__ import annotations

from ..backends import emulator
from ..core.launch import Launch
from ..core.run import Run, Trace
from .counterexamples import MAX_ACCESSES, accesses


def whole_trace(launch: Launch, run: Run) -> Trace | None:
    """Every event of `launch`, which gave `run`; None if it does too much to trace.

    Raises:
        GraderFault: the kernel does not compile.
    """
    if run.counts and accesses(run.counts) > MAX_ACCESSES:
        return None
    trace = emulator.run(launch, trace=True).trace
    return None if trace is None or len(trace.events) >= emulator.TRACE_EVENTS else trace
