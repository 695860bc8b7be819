"""What one launch did: outputs, findings, counts. Backends make it; checks read it; it is frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .child_launches import Child, ChildRace
from .counts import Counts as Counts
from .debug_info import DebugInfo
from .diagnostics import Diagnostic
from .enumerations import Event
from .findings import Access, Dim3, Finding, Race


@dataclass(frozen=True)
class MaximumWork:
    """The thread of a launch with the most memory accesses; the first one if several tie.

    Counts the accesses that `Counts` has: each load, store, or atomic in the source, to global or shared memory, also
    that of other blocks, whatever its width. `uses` is this thread's total. `line` makes the most of them, `at_line`;
    `text` is that line, stripped. `together` is how many threads of one block access memory at all, in the block with
    the most such threads; `shared_out` is how many percent of a block's accesses of global memory are made by threads
    that make at most 16 times the average, in the block with the most; `blocks` is how many blocks have a thread that
    writes global memory or, in a cluster, shared memory. `global_loads` is the most loads from global memory that
    any one thread makes, `global_atomics` the most atomic operations there. `loading` and `storing` are how many
    threads of the launch load from global memory and store there, other than by atomics.
    """

    block: Dim3
    thread: Dim3
    uses: int
    line: int
    at_line: int
    text: str
    together: int
    shared_out: int
    blocks: int
    global_loads: int
    global_atomics: int
    loading: int
    storing: int


@dataclass(frozen=True)
class LineTraffic:
    """Memory traffic of one source line: its loads from one kind of memory, its stores, or its atomics.

    `space` is "global" or "shared", `action` "load", "store" or "atomic". `units` are sectors of global memory or
    wavefronts of shared memory (of atomics, those that stores would take); `units`, `requests`, and `conflicts` are as
    in `Counts`, and so is `units_at_best`, as if a warp did nothing else. `text` is the line, stripped.
    """

    line: int
    text: str
    space: str
    action: str
    requests: int
    units: int
    conflicts: int
    units_at_best: int


#: One event of a trace. `step` numbers the events in the order in which the emulator ran them;
#: `block` and `thread` are linear; `array` indexes `Trace.arrays` (-1: none); `index` is the
#: element's flat index in it; `owner` is the linear block whose shared memory it is (of other memory,
#: `block`); `line` counts from 1 in the source. `offset` is the position in the array
#: and `size` the access's width, both in bytes. `value` holds the first 16 bytes that a read found, or
#: that a write, an atomic, or a copy left. Atomics have at most 8 bytes, so the last 8 bytes of their
#: `value` hold what they found. `Trace.value` reads all this as numbers.
TRACE_DTYPE = np.dtype(
    [
        ("step", np.int64),
        ("block", np.int32),
        ("thread", np.int32),
        ("action", np.int32),
        ("owner", np.int32),
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
    """Turn each landing copy in `events` into a write by the thread that started the copy."""
    write, land = (TRACE_ACTIONS.index(action) for action in ("write", "land"))
    if not (events["action"] == land).any():
        return events
    out = events.copy()
    out["action"][out["action"] == land] = write
    return out


@dataclass(frozen=True)
class Trace:
    """Everything that every thread did, in order. `events` has shape (n,) and TRACE_DTYPE; `dtypes`
    are the element types of `arrays`, None if not numbers; `spaces` says which memory each array is
    in, and so whether every block has its own (findings.Space). `shapes` are the arrays' extents in the
    kernel's text, `items` the bytes of an element. One for a debugger has `debug`, and events of its own: the
    `array` of those is a number in there."""

    events: np.ndarray
    arrays: tuple[str, ...]
    dtypes: tuple[np.dtype[Any] | None, ...] = ()
    spaces: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    items: tuple[int, ...] = ()
    debug: DebugInfo | None = None

    def value(self, event: np.void, *, found: bool = False) -> np.generic | None:
        """What `event`, one of `events`, read or left (with `found`, what an atomic found), as an element of
        its array; None unless it accesses one whole element and the array's elements are numbers."""
        dtype = self.dtypes[event["array"]] if 0 <= event["array"] < len(self.dtypes) else None
        if dtype is None or event["size"] != dtype.itemsize or event["offset"] % dtype.itemsize:
            return None
        start = 8 if found and TRACE_ACTIONS[event["action"]] == "atomic" else 0
        element: np.generic = event["value"][start : start + dtype.itemsize].view(dtype)[0]
        return element


@dataclass(frozen=True)
class Expected:
    """What an array argument should hold after a launch: `values` of its shape; each element may differ
    by up to `tolerance`."""

    values: np.ndarray
    tolerance: float


@dataclass(frozen=True)
class Counterexample:
    """An order of the threads in which a race makes a result wrong.

    `finding` is the race. `first` and `second` are its two accesses, in the order in which they happen under
    `schedule`: either the second one reads what the first one overwrote too early, or the first one reads
    what the second one writes too late; if both are writes, the first value is lost.
    `value` is what was read (of two writes: what was lost). `instead` is what is read under `right`, a
    schedule with a correct result (of two writes: what replaced the lost value). Both are None if there is no
    value yet, or if the array's elements are not numbers. `origin` is the access that left `value` there; None
    if no thread did. `lost_update` says that both threads read the same value and change it, each as if it
    were alone.
    Element `index` of the array `output` ends as `got` (None: no thread wrote it) instead of `expected`.
    Or the launch, which normally completes, stops in this order: then `stop` says why, and there is no
    output.

    `Kernel.emulate(..., schedule=counterexample.schedule)` reproduces it, with a trace if you ask for one.
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


class SyncCall(NamedTuple):
    """A line with calls that do nothing but synchronize threads; `function` is the runtime's that carries them out, and
    `calls` is how many the line has."""

    line: int
    function: str
    calls: int = 1

    @property
    def is_fence(self) -> bool:
        return self.function == "emu_fence"


@dataclass(frozen=True)
class Observation:
    """What an observer of another package has seen `count` times, first `at` this place; `what` is in its words."""

    observer: str
    what: str
    count: int
    at: Access


@dataclass(frozen=True)
class Run:
    """The result of one launch.

    `outputs` are the array arguments after the launch, in order, as new arrays. `completed` is
    False if the launch stopped early; then `outputs` has what was written until then, and the
    last finding says why. A GPU doesn't count, so `counts` and `maximum_work` are None there; `maximum_work` is also
    None if no thread of a completed block accessed memory. `counterexample` is set only if it was
    requested, there is a race, and the search found an order; if every order tried gave the expected outputs,
    `orders_all_right` says how many (0: none was tried, or some were wrong). `evidence` is a trace from that
    search, for a picture: of the order of the counterexample, or else of the ordinary one, which is also used
    for a launch that stopped; if no race is between blocks, it has the first race's block only.
    `static_shared` is how many bytes the block's shared arrays of fixed size have that the kernel reaches, without the
    launch's shared_mem; 0 on a GPU. `traffic` covers each line with instructions whose requests took more
    than one sector or wavefront, or that too few lanes made, and counts those instructions only; empty on a GPU.
    `touched_shared` is how many bytes of a block's shared memory threads read or write, in any of the blocks: of arrays
    of fixed size, and of the launch's shared_mem; None on a GPU, and where nothing was checked.
    `symbols` are the contents of `Launch.symbols` after the launch. `uses` says for each of `Launch.areas` how threads
    used it, a byte for each 4 bytes: 1 where they were read, 2 where they were written, 3 for both, and 32 more where
    any use was not by an atomic; `early_uses`, of a
    `programmatic` launch, how threads used it before they knew the launch before it to be over. `lets_begin` says that
    a thread has let the launch after it begin (`griddepcontrol.launch_dependents`). `writes_held` says that a thread
    has written to one of `Launch.held`. `children` is what threads have launched, in order, and `child_races` what
    races with uses by that (one for each child), if these were given.
    `saw_uninitialized` says that a thread may have seen what memory held that nobody had written; False on a GPU.
    `warnings` are of the kernel's text: of what is allowed and hardly meant; none on a GPU. `sync_calls`
    are the calls in it that do nothing but synchronize; also none on a GPU. `observations` are
    those of observers that other packages register. `blocks` is how many blocks have run to
    their end, if the emulator was to run a part of the launch.
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
    maximum_work: MaximumWork | None = None
    static_shared: int = 0
    traffic: tuple[LineTraffic, ...] = ()
    touched_shared: tuple[int, int] | None = None
    symbols: Mapping[str, bytes] = field(default_factory=dict)
    uses: tuple[np.ndarray, ...] = ()
    early_uses: tuple[np.ndarray, ...] = ()
    lets_begin: bool = False
    children: tuple[Child, ...] = ()
    child_races: tuple[ChildRace, ...] = ()
    writes_held: bool = False
    saw_uninitialized: bool = False
    warnings: tuple[Diagnostic, ...] = ()
    sync_calls: tuple[SyncCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    blocks: int = 0


@dataclass(frozen=True)
class TimedRun:
    """A launch that was timed on a GPU: `run` is what it did (the last time, if it was repeated),
    `times` is how long each launch took, in milliseconds; empty if `run` did not complete."""

    run: Run
    times: tuple[float, ...] = ()
