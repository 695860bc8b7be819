"""What one launch did: outputs, findings, counts. Frozen; made by a backend, read by checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .findings import Access, Dim3, Finding, Race
from .protocol import Event


@dataclass(frozen=True)
class Counts:
    """What a launch did to memory.

    Thread level: one for each access that a thread makes in the source, whatever its width;
    `atomics` are all of them, `global_atomics` those outside shared memory, `compare_and_swaps` those that
    compare first. `constant_loads` are of `__constant__` memory, which has a cache of its own and is part of no
    other count. `shuffles` are a thread's calls of such functions, and `votes` of all others by which the lanes
    of a warp learn from each other: votes, matches, reductions.
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
    constant_loads: int = 0
    shuffles: int = 0
    votes: int = 0
    compare_and_swaps: int = 0


@dataclass(frozen=True)
class Busiest:
    """The thread of a launch that uses memory most often; of several, the first one.

    A use is one of those that `Counts` has: a load, a store or an atomic in the source, of global or shared
    memory, whatever its width. `uses` are all that this thread makes. `line` is the one that makes most of
    them, `at_line` of them; `text` is that line, stripped. `together` is how many threads of one block use
    memory at all, in the block where most of them do.
    """

    block: Dim3
    thread: Dim3
    uses: int
    line: int
    at_line: int
    text: str
    together: int


@dataclass(frozen=True)
class LineTraffic:
    """What the requests of one line of the source move: its loads from one kind of memory, or its stores.

    `space` is "global" or "shared", `action` "load" or "store". `units` are sectors of global memory, wavefronts of
    shared memory; these and `requests` and `conflicts` as in `Counts`. `text` is the line, stripped.
    """

    line: int
    text: str
    space: str
    action: str
    requests: int
    units: int
    conflicts: int


#: One event of a trace. `step` numbers the events in the order in which the emulator ran them;
#: `block` and `thread` are linear; `array` indexes `Trace.arrays` (-1: none); `index` is the
#: element's flat index in it; `line` counts as in the source. `offset` is where in the array, in
#: bytes, and `size` how many bytes were accessed; `value` holds the first 16 of them: what a read
#: found, what a write, an atomic or a copy left there. Of an atomic, of 8 bytes at most, the last 8
#: hold what it found. `Trace.value` reads all this as numbers.
TRACE_DTYPE = np.dtype(
    [
        ("step", np.int64),
        ("block", np.int32),
        ("thread", np.int32),
        ("action", np.int32),
        ("array", np.int32),
        ("index", np.int64),
        ("line", np.int32),
        ("offset", np.int64),
        ("size", np.int32),
        ("value", np.uint8, (16,)),
    ]
)
#: The values of a trace's `action`. A thread's asynchronous copy is a read where the thread starts it, and lands
#: later.
TRACE_ACTIONS = tuple(event.name for event in Event)


def landings_as_writes(events: np.ndarray) -> np.ndarray:
    """`events` of a trace, in which a copy that lands is a write of the thread that started it."""
    write, land = (TRACE_ACTIONS.index(action) for action in ("write", "land"))
    if not (events["action"] == land).any():
        return events
    out = events.copy()
    out["action"][out["action"] == land] = write
    return out


@dataclass(frozen=True)
class Trace:
    """Everything that every thread did, in order. `events` has shape (n,) and TRACE_DTYPE; `dtypes`
    are those of the elements of `arrays`, None where they are no numbers; `spaces` says which memory
    each is in, and so whether every block has its own (findings.Space). `shapes` are their extents, as the kernel's
    text gives them."""

    events: np.ndarray
    arrays: tuple[str, ...]
    dtypes: tuple[np.dtype[Any] | None, ...] = ()
    spaces: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()

    def value(self, event: np.void, *, found: bool = False) -> np.generic | None:
        """What `event`, one of `events`, read or left (with `found`, what an atomic found), as an element of
        its array; None where it is no access of one whole element, or its array's elements are no numbers."""
        dtype = self.dtypes[event["array"]] if 0 <= event["array"] < len(self.dtypes) else None
        if dtype is None or event["size"] != dtype.itemsize or event["offset"] % dtype.itemsize:
            return None
        start = 8 if found and TRACE_ACTIONS[event["action"]] == "atomic" else 0
        element: np.generic = event["value"][start : start + dtype.itemsize].view(dtype)[0]
        return element


@dataclass(frozen=True)
class Expected:
    """What an array argument should hold after a launch: `values` of its shape, each element no further away
    than `tolerance`."""

    values: np.ndarray
    tolerance: float


@dataclass(frozen=True)
class Counterexample:
    """An order of the threads in which a race makes a result wrong.

    `finding` is the race. `first` and `second` are the two accesses that it is about, in the order in which
    they happen under `schedule`: either the second one reads what the first one has overwritten too early,
    or the first one reads what the second one writes too late; of two writes, the value of the first is lost.
    `value` is what was read (of two writes: what was lost), `instead` what is read under `right`, a schedule
    under which the result is right (of two writes: what took its place); None where there is no value yet,
    or where the array's elements are no numbers. `origin` is the access that left `value` there; None where
    no thread has. `lost_update` says that both threads read the same value, and change it, each as if it
    were alone.
    Of the array `output`, the element `index` holds `got` in the end (None: no thread wrote it), and
    `expected` was asked for. Or the launch, which otherwise ends, stops in this order: then `stop` says why,
    and there is no output.

    `Kernel.emulate(..., schedule=counterexample.schedule)` repeats it, with a trace if that is asked for.
    """

    finding: Race
    schedule: str
    right: str
    first: Access
    second: Access
    value: np.generic | None
    instead: np.generic | None
    origin: Access | None
    lost_update: bool
    output: str = ""
    index: tuple[int, ...] = ()
    got: np.generic | None = None
    expected: np.generic | None = None
    stop: Finding | None = None


@dataclass(frozen=True)
class Run:
    """The result of one launch.

    `outputs` are the array arguments after the launch, in order, as new arrays. `completed` is
    False where the launch stopped early; then `outputs` hold what was written until then and the
    last finding says why. `counts` is None on a GPU, which does not count, and so is `busiest`, also where no
    thread has used memory in a block that came to its end. `counterexample` is looked
    for where it was asked for and there is a race; where all orders that were tried gave the expected
    outputs, `orders_all_right` says how many (0: none was tried, or some were wrong). `evidence` is what was seen on
    the way, for a picture: the trace of the order that the counterexample is of, or else of the ordinary one; where no
    race is between blocks, of the first race's block alone. Of a launch that stopped, the ordinary one.
    `static_shared` is how many bytes of shared memory the kernel's own declarations take in each block, without
    those that the launch asks for; 0 on a GPU. `traffic` is of each line that has instructions whose requests took more
    than one sector or wavefront, and of these instructions; empty on a GPU.
    """

    outputs: tuple[np.ndarray, ...]
    findings: tuple[Finding, ...] = ()
    counts: Counts | None = None
    completed: bool = True
    printed: str = ""
    backend: str = "emulator"
    trace: Trace | None = None
    counterexample: Counterexample | None = None
    orders_all_right: int = 0
    evidence: Trace | None = None
    busiest: Busiest | None = None
    static_shared: int = 0
    traffic: tuple[LineTraffic, ...] = ()


@dataclass(frozen=True)
class TimedRun:
    """A launch that was timed on a GPU: `run` is what it did (the last time, where it was repeated),
    `times` how long each launch took, in milliseconds; empty where `run` did not complete."""

    run: Run
    times: tuple[float, ...] = ()
