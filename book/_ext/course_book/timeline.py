"""What a timeline shows, worked out from a trace: rows of warps, bars, waits, barriers, a race."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.findings import Finding, Kind
from autograder.run import TRACE_ACTIONS, Run, landings_as_writes

WARP = 32
_READ, _WRITE, _ATOMIC, _ARRIVE, _LEAVE, _EXIT, _LAND = range(len(TRACE_ACTIONS))


@dataclass(frozen=True)
class Mark:
    """One access to the array that the timeline is about, at step `at`."""

    at: int
    action: str
    thread: int
    index: int


@dataclass(frozen=True)
class Bar:
    """A warp at work between two barriers: from its first step to its last."""

    start: int
    end: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Wait:
    """A warp, all of whose threads have arrived at a barrier, until the barrier opens."""

    start: int
    end: int


@dataclass(frozen=True)
class Row:
    """One warp."""

    warp: int
    bars: tuple[Bar, ...]
    waits: tuple[Wait, ...]


@dataclass(frozen=True)
class Barrier:
    """The step at which the last thread of the block arrived, and the source line."""

    at: int
    line: int


@dataclass(frozen=True)
class Racing:
    """Two accesses to an element that show a race between their lines, by their steps: those that are
    drawn, or else the first two."""

    index: int
    first: int
    second: int


@dataclass(frozen=True)
class Timeline:
    """A block's run. Steps count from 0 to `steps` - 1, in the emulator's order."""

    array: str
    threads: int
    steps: int
    rows: tuple[Row, ...]
    barriers: tuple[Barrier, ...]
    race: tuple[Mark, Mark] | None = None
    race_lines: tuple[int, int] = (0, 0)
    racing: tuple[Racing, ...] = ()
    shape: tuple[int, ...] = ()

    def element(self, index: int) -> str:
        """The element at a flat index as the kernel's text would write it: tile[1][2]."""
        return self.array + "".join(f"[{place}]" for place in np.unravel_index(index, self.shape))


def from_run(run: Run, array: str, block: int = 0, shape: tuple[int, ...] = ()) -> Timeline:
    """The timeline of one block of a traced run, about one array of this shape; by default the
    array is as long as what was touched of it.

    Raises:
        ValueError: the run has no trace, or nobody in this block touched `array`.
    """
    if run.trace is None or array not in run.trace.arrays:
        raise ValueError(f"the trace has no array {array!r}")
    events = landings_as_writes(run.trace.events[run.trace.events["block"] == block])
    wanted = run.trace.arrays.index(array)
    if not (events["array"] == wanted).any():
        raise ValueError(f"nobody in block {block} touched {array!r}")
    steps = np.arange(len(events))
    phase = _phases(events)
    barriers = _barriers(events, steps, phase)
    rows = []
    for warp in range(int(events["thread"].max()) // WARP + 1):
        mine = events["thread"] // WARP == warp
        bars, waits = [], []
        for number in range(int(phase[mine].max()) + 1):
            now = mine & (phase == number)
            work = now & (events["action"] <= _ATOMIC)
            if work.any():
                marks = work & (events["array"] == wanted)
                bars.append(
                    Bar(
                        int(steps[work].min()),
                        int(steps[work].max()),
                        tuple(_mark(events[i], int(steps[i])) for i in np.flatnonzero(marks)),
                    )
                )
            arrived = now & (events["action"] == _ARRIVE)
            if arrived.any() and number < len(barriers):
                waits.append(Wait(int(steps[arrived].max()), barriers[number].at))
        rows.append(Row(warp, tuple(bars), tuple(waits)))
    touched = events["array"] == wanted
    shape = shape or (int(events["index"][touched].max()) + 1,)
    race, lines = _race(run.findings, events, phase, array, touched, shape)
    racing = _racing([f for f in run.findings if f.kind == Kind.RACE], events, phase, array, touched)
    if race:  # the one that is drawn comes first, and by the accesses that are drawn
        drawn = Racing(race[0].index, *sorted(mark.at for mark in race))
        racing = (drawn, *(one for one in racing if one.index != drawn.index))
    threads = len(np.unique(events["thread"]))
    return Timeline(array, threads, len(events), tuple(rows), barriers, race, lines, racing, shape)


def _phases(events: np.ndarray) -> np.ndarray:
    """For each event, how many barriers its thread had left before it."""
    phase = np.zeros(len(events), dtype=int)
    for thread in np.unique(events["thread"]):
        mine = events["thread"] == thread
        phase[mine] = np.cumsum(events["action"][mine] == _LEAVE)
    return phase


def _barriers(events: np.ndarray, steps: np.ndarray, phase: np.ndarray) -> tuple[Barrier, ...]:
    found = []
    for number in range(int(phase.max())):  # a barrier that nobody left never opened
        arrived = (phase == number) & (events["action"] == _ARRIVE)
        last = int(steps[arrived].max())
        found.append(Barrier(last, int(events["line"][last])))
    return tuple(found)


def _mark(event: np.void, at: int) -> Mark:
    return Mark(at, TRACE_ACTIONS[int(event["action"])], int(event["thread"]), int(event["index"]))


def _race(
    findings: tuple[Finding, ...],
    events: np.ndarray,
    phase: np.ndarray,
    array: str,
    mine: np.ndarray,
    shape: tuple[int, ...],
) -> tuple[tuple[Mark, Mark] | None, tuple[int, int]]:
    """Where the first race that was found on this array stands among the events."""
    for finding in findings:
        if finding.kind != Kind.RACE or finding.accesses[0].array != array:
            continue
        places = [
            np.flatnonzero(
                mine
                & (events["thread"] == access.thread[0])
                & (events["index"] == np.ravel_multi_index(access.index, shape))
                & (events["line"] == access.line)
                & (events["action"] == TRACE_ACTIONS.index(str(access.action)))
            )
            for access in finding.accesses
        ]
        # In a loop the same access comes again; the pair that raced has no barrier between.
        pairs = [(int(a), int(b)) for a in places[0] for b in places[1] if phase[a] == phase[b]]
        if pairs:
            first, second = min(pairs, key=lambda pair: abs(pair[1] - pair[0]))
            lines = (finding.accesses[0].line, finding.accesses[1].line)
            return (_mark(events[first], first), _mark(events[second], second)), lines
    return None, (0, 0)


def _racing(
    races: list[Finding], events: np.ndarray, phase: np.ndarray, array: str, mine: np.ndarray
) -> tuple[Racing, ...]:
    """The elements on which the lines of these races meet, with no barrier between."""
    pairs: dict[int, Racing] = {}
    for one, other in (finding.accesses for finding in races if finding.accesses[0].array == array):
        places: list[dict[tuple[int, int], list[int]]] = [{}, {}]
        for found, access in zip(places, (one, other), strict=True):
            same = (events["line"] == access.line) & (events["action"] == TRACE_ACTIONS.index(str(access.action)))
            for at in np.flatnonzero(mine & same):
                found.setdefault((int(events["index"][at]), int(phase[at])), []).append(int(at))
        for key in places[0].keys() & places[1].keys():
            for a in places[0][key]:
                for b in places[1][key]:
                    pair = Racing(key[0], min(a, b), max(a, b))
                    before = pairs.get(key[0])
                    if events["thread"][a] != events["thread"][b] and (not before or pair.second < before.second):
                        pairs[key[0]] = pair
    return tuple(sorted(pairs.values(), key=lambda pair: pair.second))
