"""What one launch did: outputs, findings, counts. Frozen; made by a backend, read by checks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .findings import Finding


@dataclass(frozen=True)
class Counts:
    """What a launch did to memory.

    Thread level: one for each access that a thread makes in the source, whatever its width;
    `atomics` are all of them, `global_atomics` those outside shared memory.
    Warp level, as Nsight Compute counts on an H200: a request is one instruction of one warp; a
    sector is 32 bytes of global memory, counted once for each request that needs it; a wavefront
    is one pass over the 32 shared-memory banks, of 4 bytes each; a conflict is a wavefront beyond
    those that the width takes at best (a load or store of 8 or 16 bytes goes in halves or quarters
    of the warp). An atomic takes a sector once for each lane of the element in it that most lanes
    update, and one wavefront for each lane at the bank that most lanes need.
    """

    global_loads: int = 0
    global_stores: int = 0
    shared_loads: int = 0
    shared_stores: int = 0
    atomics: int = 0
    global_atomics: int = 0
    barriers: int = 0
    global_load_requests: int = 0
    global_load_sectors: int = 0
    global_store_requests: int = 0
    global_store_sectors: int = 0
    shared_load_requests: int = 0
    shared_load_conflicts: int = 0
    shared_store_requests: int = 0
    shared_store_conflicts: int = 0
    shared_load_wavefronts: int = 0
    shared_store_wavefronts: int = 0
    global_atomic_requests: int = 0
    global_atomic_sectors: int = 0
    shared_atomic_requests: int = 0
    shared_atomic_wavefronts: int = 0


#: One event of a trace. `step` numbers the events in the order in which the emulator ran them;
#: `block` and `thread` are linear; `array` indexes `Trace.arrays` (-1: none); `index` is the
#: element's flat index in it; `line` counts as in the source.
TRACE_DTYPE = np.dtype(
    [
        ("step", np.int64),
        ("block", np.int32),
        ("thread", np.int32),
        ("action", np.int32),
        ("array", np.int32),
        ("index", np.int64),
        ("line", np.int32),
    ]
)
#: The values of a trace's `action`.
TRACE_ACTIONS = ("read", "write", "atomic", "barrier", "leave_barrier", "exit")


@dataclass(frozen=True)
class Trace:
    """Everything that every thread did, in order. `events` has shape (n,) and TRACE_DTYPE."""

    events: np.ndarray
    arrays: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """The result of one launch.

    `outputs` are the array arguments after the launch, in order, as new arrays. `completed` is
    False where the launch stopped early; then `outputs` hold what was written until then and the
    last finding says why. `counts` is None on a GPU, which does not count.
    """

    outputs: tuple[np.ndarray, ...]
    findings: tuple[Finding, ...] = ()
    counts: Counts | None = None
    completed: bool = True
    printed: str = ""
    backend: str = "emulator"
    trace: Trace | None = None


@dataclass(frozen=True)
class TimedRun:
    """A launch that was timed on a GPU: `run` is what it did (the last time, where it was repeated),
    `times` how long each launch took, in milliseconds; empty where `run` did not complete."""

    run: Run
    times: tuple[float, ...] = ()
