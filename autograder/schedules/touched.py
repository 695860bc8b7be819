"""How much of the shared memory that a kernel declares its threads use."""

from __future__ import annotations

import numpy as np

from ..backends import emulator
from ..core.launch import Launch
from ..core.run import TRACE_ACTIONS, Run
from .whole_trace import whole_trace

_ACCESSES = [TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic")]


def touched_shared(launch: Launch, run: Run) -> tuple[int, int] | None:
    """How many bytes of its shared arrays the threads of `launch`, which gave `run`, read or write: of those of fixed
    size, and of the dynamic ones; None if it does too much to say.

    Raises:
        GraderFault: the kernel does not compile.
    """
    trace = whole_trace(launch, run)
    if trace is None:
        return None
    touched = [0, 0]
    for number, array in enumerate(emulator.source_map(launch).arrays):
        if array.space != "shared":
            continue
        here = (trace.events["array"] == number) & np.isin(trace.events["action"], _ACCESSES)
        used: set[int] = set()
        for start, size in set(zip(*(trace.events[name][here].tolist() for name in ("offset", "size")), strict=True)):
            used.update(range(start, start + size))
        touched[array.dynamic] += len(used & set(range(launch.shared_mem if array.dynamic else array.bytes)))
    return touched[0], touched[1]
