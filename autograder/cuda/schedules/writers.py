"""The trace of a launch, where it holds all that the launch does; and who left a value in an output."""

from __future__ import annotations

import numpy as np

from ..backends import emulator
from ..backends.emulation import TRACE_EVENTS
from ..core.findings import Access
from ..core.launch import Launch
from ..core.run import TRACE_ACTIONS, Run, Trace, landings_as_writes
from .counterexamples import MAX_ACCESSES, accesses

_ATOMIC = TRACE_ACTIONS.index("atomic")
_WRITES = [TRACE_ACTIONS.index("write"), _ATOMIC]


def whole_trace(launch: Launch, run: Run) -> Trace | None:
    """Every event of `launch`, which gave `run`; None if it does too much to trace.

    Raises:
        GraderFault: the kernel does not compile.
    """
    if run.counts and accesses(run.counts) > MAX_ACCESSES:
        return None
    trace = emulator.run(launch, trace=True).trace
    return None if trace is None or len(trace.events) >= TRACE_EVENTS else trace


def find_writer(launch: Launch, run: Run, output: str, flat: int) -> Access | None:
    """The last access that changed an element of an array argument.

    Args:
        launch: the launch, which ran to its end.
        run: what it gave, on any backend.
        output: the argument's name.
        flat: the element's index in one dimension.

    Returns:
        None if no thread changed it, or if the launch is too large to trace.
    """
    trace = whole_trace(launch, run)
    if trace is None:
        return None
    number = launch.array_names.index(output)
    at = flat * launch.arrays[number].itemsize
    events = landings_as_writes(trace.events)
    covers = (events["offset"] <= at) & (at < events["offset"] + events["size"])
    # An atomic's event has what it left, and from byte 8 on what it found.
    unchanged = (events["action"] == _ATOMIC) & (events["value"][:, :8] == events["value"][:, 8:]).all(axis=1)
    rows = np.flatnonzero((events["array"] == number) & np.isin(events["action"], _WRITES) & covers & ~unchanged)
    return emulator.source_map(launch).traced(events[rows[-1]]) if len(rows) else None
