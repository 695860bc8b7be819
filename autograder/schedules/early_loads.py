"""How many loads from global memory are under way while their thread computes."""

from __future__ import annotations

import numpy as np

from ..core.launch import Launch
from ..core.run import TRACE_ACTIONS, Run
from .whole_trace import whole_trace

_READ, _WRITE, _ATOMIC = (TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic"))


def early_loads(launch: Launch, run: Run) -> tuple[int, int] | None:
    """How many loads from global memory the threads of `launch`, which gave `run`, begin early, and how many they make
    in all; None if it does too much to say. A load is early if its thread next reads shared memory, and does not write
    there first: what it writes is mostly what it loaded, and for that it must wait.

    Raises:
        GraderFault: the kernel does not compile.
    """
    trace = whole_trace(launch, run)
    if trace is None:
        return None
    events = trace.events[np.isin(trace.events["action"], (_READ, _WRITE, _ATOMIC))]
    events = events[np.lexsort((events["step"], events["thread"], events["block"]))]
    spaces = np.array(trace.spaces)[events["array"]]
    reads, shared = events["action"] == _READ, spaces == "shared"
    loads = reads & np.isin(spaces, ("global", "device"))
    # For each event the next one in shared memory, of whatever thread: the last place stands for none.
    places = np.where(shared, np.arange(len(events)), len(events) - 1)
    following = np.minimum.accumulate(places[::-1])[::-1]
    same = (events["block"] == events["block"][following]) & (events["thread"] == events["thread"][following])
    early = loads & same & (shared & reads)[following]
    return int(early.sum()), int(loads.sum())
