"""How far do the threads that load run ahead of those that use what they have loaded?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..backends import emulator
from ..core.launch import Launch
from ..core.run import TRACE_ACTIONS, Run, Trace, landings_as_writes
from .writers import whole_trace

_READ, _WRITE, _ATOMIC = (TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic"))
#: Those of a trace's columns that say who accesses what, and where.
_COLUMNS = ("block", "thread", "action", "array", "offset")
#: No thread makes as many accesses.
_NEVER = 999_999_999


def loads_ahead(launch: Launch, run: Run) -> int:
    """How many numbers lie ready in shared memory when the first one is handed over, by one thread that has loaded to
    another, if its reader waits for as long as any thread can go on: numbers that wait for that reader are not among
    them, nor what no other thread reads. 0 if none is handed over, or if `launch`, which gave `run`, does too much to
    say.

    Raises:
        GraderFault: the kernel does not compile.
    """
    trace = whole_trace(launch, run)
    first = trace and _first_use(trace)
    if not first:
        return 0
    block, thread, access = first
    schedule = f"forward; hold {block}:{thread}:{access} until {block}:{thread}:{_NEVER}"
    late = emulator.run(launch, trace=True, schedule=schedule, checks=False).trace
    return _ready_before(late, first) if late else 0


def _first_use(trace: Trace) -> tuple[int, int, int] | None:
    """The first read of what another thread wrote after a load: its block, its thread, and how many accesses the
    thread made before it."""
    loaded: set[tuple[int, int]] = set()
    writers: dict[tuple[int, int, int], int] = {}  # by block, array and offset
    for (block, thread, access), action, array, offset in _accesses(trace):
        place = block, array, offset
        if trace.spaces[array] != "shared":
            loaded.add((block, thread))
        elif action == _READ and writers.get(place, thread) != thread:
            return block, thread, access
        elif action == _WRITE and (block, thread) in loaded:
            writers[place] = thread
    return None


def _ready_before(trace: Trace, access: tuple[int, int, int]) -> int:
    loaded: set[tuple[int, int]] = set()
    ready: dict[tuple[int, int, int], int] = {}  # by block, array and offset: who wrote it
    read, begun = 0, False
    for (block, thread, made), action, array, offset in _accesses(trace):
        begun |= (block, thread, made) == access
        place = block, array, offset
        if trace.spaces[array] != "shared":
            loaded.add((block, thread))
        elif action == _READ:
            if ready.get(place, thread) != thread:
                del ready[place]
                read += 1
        elif not begun and (block, thread) in loaded:
            ready[place] = thread
        else:
            ready.pop(place, None)
    return read


def _accesses(trace: Trace) -> Iterator[tuple[tuple[int, int, int], int, int, int]]:
    """Each access in order: its block, its thread and how many accesses the thread made before it; what it does, the
    number of its array, and the offset there. A copy that lands is a write, but no access."""
    made = Counter[tuple[int, int]]()
    events = landings_as_writes(trace.events)
    columns = (column.tolist() for column in (trace.events["action"], *(events[name] for name in _COLUMNS)))
    for was, block, thread, action, array, offset in zip(*columns, strict=True):
        if action in (_READ, _WRITE, _ATOMIC):
            yield (block, thread, made[block, thread]), action, array, offset
            made[block, thread] += was == action
