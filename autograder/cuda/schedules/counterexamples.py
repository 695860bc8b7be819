"""Finds an order of the threads in which a race makes a result wrong, and the accesses where that happens.

We run the launch several more times, in other orders. A pair of orders, one that leaves an element wrong and
one that leaves it right, shows that the order is the reason; `divergence` then finds the two accesses whose
order matters. If the ordinary order is right, we delay one thread at one access of a race, so that, as far as
possible, nothing but that order changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

import numpy as np

from ..backends import emulator
from ..backends.emulation import TRACE_EVENTS
from ..backends.source_map import SourceMap
from ..core.findings import Access, Kind, Race
from ..core.launch import Launch
from ..core.numerics import wrong_elements
from ..core.races import find_races
from ..core.run import TRACE_ACTIONS, Counterexample, Counts, Expected, Run, Trace
from .divergence import COPIES, Cause, Comparison, History, Name

#: Orders that we try, including the ordinary one.
MAX_ORDERS = 8
#: Reads, writes, and atomics: most in a launch that we search at all, most in all orders together (a million take
#: some tenths of a second), and most in the blocks we look at (one block, unless a race is between blocks).
MAX_ACCESSES, MAX_ALL_ACCESSES, MAX_LOOKED_AT = 800_000, 2_400_000, 200_000
#: After this many accesses, we assume that an order never ends.
MAX_STEPS = 10 * MAX_LOOKED_AT
#: Most orders that differ from one order only by a delayed thread, and most wrong elements that we trace back in
#: each order.
_MAX_HELD, _MAX_ELEMENTS = 3, 4
#: Most accesses of one element by one thread that we consider when delaying a thread.
_MAX_USES = 16
_PLACE = ("array", "offset", "size")
_ORDINARY = "forward"
_REVERSED = "backward"
_OTHERS = ("lockstep", _REVERSED, "warps", "random:1", "random:2")
#: In every other order, asynchronous copies land as late as possible.
_EARLY_COPIES = "forward; copies land at once"
_READ, _WRITE, _ATOMIC, _LEAVE, _LAND = (
    TRACE_ACTIONS.index(a) for a in ("read", "write", "atomic", "leave_barrier", "land")
)


@dataclass(frozen=True)
class _Order:
    """The launch under one schedule; `wrong` has bools of each output's shape."""

    schedule: str
    run: Run
    trace: Trace
    history: History
    wrong: Mapping[str, np.ndarray]

    @property
    def right(self) -> bool:
        return self.run.completed and not any(wrong.any() for wrong in self.wrong.values())

    def row(self, name: Name | None) -> int | None:
        return None if name is None else self.history.row(name)

    def event(self, name: Name) -> np.void:
        """The event of an access that happens in this order."""
        row = self.history.row(name)
        assert row is not None
        event: np.void = self.history.events[row].copy()
        event["thread"] %= COPIES
        return event

    def read(self, name: Name) -> np.generic | None:
        return self.trace.value(self.event(name), found=True)

    def left(self, name: Name) -> np.generic | None:
        return self.trace.value(self.event(name))


def find_counterexample(launch: Launch, run: Run, expected: Mapping[str, Expected]) -> Run:
    """Add to `run` a `counterexample` for one of its races, or `orders_all_right`, and its `evidence`.

    Args:
        launch: the launch that gave `run` on the emulator.
        expected: what the kernel should compute, by array argument; other arrays don't count.

    Returns:
        `run` unchanged if it has no race of two orders or is too large (`MAX_ACCESSES`); with `evidence` alone if it
        stopped. The same launch always gives the same answer.
    """
    races = [race for race in find_races(run) if not race.cached]  # whatever the order, those are wrong
    if run.counts is None or accesses(run.counts) > MAX_ACCESSES:
        return run
    if not run.completed:
        return _with_evidence(launch, run, races)
    if not races:
        return run
    search = _Search(launch, races, emulator.source_map(launch), expected)
    ordinary = search.order(_ORDINARY)
    if ordinary is None or not ordinary.run.completed or len(ordinary.history.events) > MAX_LOOKED_AT:
        return run
    orders = min(MAX_ORDERS, MAX_ALL_ACCESSES // max(1, accesses(run.counts)))
    held = search.held_back(ordinary)
    early = (_EARLY_COPIES,) if (ordinary.trace.events["action"] == _LAND).any() else ()
    waiting = deque((*early, *held, *_OTHERS) if ordinary.right else (*early, *_OTHERS, *held))
    right = [ordinary.right]
    while waiting and len(right) < orders:
        order = search.order(waiting.popleft())
        right.append(order is not None and order.right)
        if order is None:
            continue
        if order.run.completed:
            example = search.explain(ordinary, order) or search.explain(order, ordinary)
        else:
            example = search.explain_stop(order, ordinary)
        if example is not None:
            shown = order if example.schedule == order.schedule else ordinary
            return replace(run, counterexample=example, evidence=shown.trace)
        if order.schedule == _REVERSED and order.right:
            waiting.extendleft(reversed(search.held_back(order)))
    return replace(run, orders_all_right=len(right) if all(right) else 0, evidence=ordinary.trace)


def _with_evidence(launch: Launch, run: Run, races: Sequence[Race]) -> Run:
    """Add to `run`, which stopped, a trace of its first race and of the barrier where it stopped, if any."""
    stop = run.findings[-1]
    explained = [*races[:1], *([stop] if stop.kind is Kind.BARRIER_DIVERGENCE else [])]
    if not explained or stop.kind is Kind.STEP_LIMIT:
        return run
    source = emulator.source_map(launch)
    blocks = {source.linear(access)[0] for finding in explained for access in finding.accesses}
    block = blocks.pop() if len(blocks) == 1 else None
    again = emulator.run(launch, trace=True, max_steps=MAX_STEPS, trace_block=block)
    if again.trace is None or len(again.trace.events) >= TRACE_EVENTS:
        return run
    return replace(run, evidence=again.trace)


def accesses(counts: Counts) -> int:
    """How many reads, writes, and atomics a launch made."""
    remote = counts.remote_loads + counts.remote_stores + counts.remote_atomics
    return (
        counts.global_loads
        + counts.global_stores
        + counts.shared_loads
        + counts.shared_stores
        + counts.atomics
        + remote
    )


class _Search:
    """One launch's races and how to name what is in its traces, to compare orders with."""

    def __init__(
        self, launch: Launch, races: Sequence[Race], source: SourceMap, expected: Mapping[str, Expected]
    ) -> None:
        self._launch, self._races, self._source, self._expected = launch, races, source, expected
        self._arrays = launch.array_names
        between_blocks = any(race.scope in ("cluster", "grid") for race in races)
        self._block = None if between_blocks else source.linear(races[0].accesses[0])[0]

    def order(self, schedule: str) -> _Order | None:
        """The launch under `schedule`; None if it doesn't end or has no trace."""
        run = emulator.run(self._launch, trace=True, schedule=schedule, max_steps=MAX_STEPS, trace_block=self._block)
        endless = not run.completed and run.findings[-1].kind is Kind.STEP_LIMIT
        if endless or run.trace is None or len(run.trace.events) >= TRACE_EVENTS:
            return None
        got = dict(zip(self._arrays, run.outputs, strict=True))
        wrong = {name: wrong_elements(got[name], want.values, want.tolerance) for name, want in self._expected.items()}
        return _Order(schedule, run, run.trace, History(run.trace), wrong)

    # -- orders that differ only slightly from the ordinary one

    def held_back(self, order: _Order) -> tuple[str, ...]:
        """Schedules that reverse the two accesses of a race, for each race in turn."""
        each = [islice(self._turned_round(order, race), _MAX_HELD) for race in self._races]
        mixed = (schedule for row in zip_longest(*each) for schedule in row if schedule)
        return tuple(islice(dict.fromkeys(mixed), _MAX_HELD))

    def _turned_round(self, order: _Order, race: Race) -> Iterator[str]:
        events, history = order.history.events, order.history
        left, right = (self._uses(order, access, race.accesses[1]) for access in race.accesses)
        if not len(left) or not len(right) or history.name(left[0])[:2] == history.name(right[0])[:2]:
            return  # a thread can race with itself only through its own asynchronous copy
        barriers = order.trace.events[order.trace.events["action"] == _LEAVE]
        pairs = []
        for uses, others in ((left, right), (right, left)):
            for row in uses[:_MAX_USES]:
                later = others[np.searchsorted(others, row) :][:_MAX_USES]
                pairs += [(row, other) for other in later if _conflict(barriers, events[row], events[other])][:2]
        # A thread delayed at its write has already read; when it resumes, what it read is out of date.
        for first, second in sorted(pairs, key=lambda pair: (events["action"][pair[0]] != _WRITE, pair)):
            yield f"{order.schedule}; hold {_spelled(history.name(first))} until {_spelled(history.name(second))}"

    def _uses(self, order: _Order, who: Access, where: Access) -> np.ndarray:
        """The rows in which the thread of `who` accesses the element of `where`, in order."""
        rows = order.history.of(*self._source.linear(who))
        events = order.history.events[rows]
        named = (i for i, a in enumerate(self._source.arrays) if (a.name, a.space) == (where.array, where.space))
        array = next(named, -1)
        if array < 0:
            return rows[:0]
        shape = self._source.arrays[array].shape
        flat = int(np.ravel_multi_index(where.index, shape)) if shape else 0
        used: np.ndarray = rows[(events["array"] == array) & (events["index"] == flat)]
        return used

    # -- why

    def explain(self, bad: _Order, good: _Order) -> Counterexample | None:
        """Why an element is wrong in `bad` but right in `good`; None if no race is visibly the reason."""
        comparison = Comparison(bad.history, good.history)
        for output, wrong in bad.wrong.items():
            number = self._arrays.index(output)
            item = bad.run.outputs[number].itemsize
            written = bad.history.written(number, item) | good.history.written(number, item)
            differs = np.flatnonzero(wrong & ~good.wrong[output])
            for flat in [int(flat) for flat in differs if flat in written][:_MAX_ELEMENTS]:
                place = number, flat * item, item
                cause = comparison.cause(*place)
                explained = self._explained(bad, good, cause) if cause else None
                if explained:
                    got = bad.run.outputs[number].flat[flat] if len(bad.history.writes(*place)) else None
                    return replace(
                        explained,
                        output=output,
                        index=tuple(int(i) for i in np.unravel_index(flat, wrong.shape)),
                        got=got,
                        expected=self._expected[output].values.flat[flat],
                    )
        return None

    def explain_stop(self, bad: _Order, good: _Order) -> Counterexample | None:
        """Why the launch stops in `bad` but ends in `good`; None if no race is visibly the reason."""
        stop = bad.run.findings[-1]
        if not stop.accesses:
            return None
        block, _ = self._source.linear(stop.accesses[0])
        x, y, z = self._launch.block
        cause = Comparison(bad.history, good.history).cause_in_block(block, x * y * z)
        explained = self._explained(bad, good, cause) if cause else None
        return replace(explained, stop=stop) if explained else None

    def _explained(self, bad: _Order, good: _Order, cause: Cause) -> Counterexample | None:
        """What `cause` shows, without what becomes of it; None if it is not a race that was found."""
        found, missed, reader = cause.found, cause.missed, cause.reader
        pairs = []  # what happens first and what happens second in `bad`, each with its order
        if reader and missed:
            pairs += [((bad, reader), late) for late in _late(bad, good, reader, missed)]
        if reader and found and _comes_later(good, found, reader):
            pairs.append(((bad, found), (bad, reader)))
        if missed and found and _comes_later(bad, found, missed):
            pairs.append(((bad, missed), (bad, found)))
        for pair in pairs:
            first, second = (self._source.traced(order.event(name)) for order, name in pair)
            names = pair[0][1], pair[1][1]
            race = next((race for race in self._races if _is_about(race, first, second)), None)
            if race is None:
                continue
            of_read = reader if reader in names else None
            origin = bad.event(found) if found and of_read else None
            empty = bool(of_read) and not found and (first.space == "shared" or first.array in self._launch.empty)
            return Counterexample(
                finding=race,
                schedule=bad.schedule,
                right=good.schedule,
                first=first,
                second=second,
                value=None if empty else bad.read(of_read) if of_read else bad.left(names[0]),
                instead=good.read(of_read) if of_read else bad.left(names[1]),
                origin=None if origin is None else self._source.traced(origin),
                lost_update=bool(of_read) and first.action == "read" and _both_change(bad, names[0], pair[1]),
            )
        return None


def _is_about(race: Race, first: Access, second: Access) -> bool:
    seen = sorted((a.array, str(a.space), a.line, str(a.action)) for a in (first, second))
    return seen == sorted((a.array, str(a.space), a.line, str(a.action)) for a in race.accesses)


def _late(bad: _Order, good: _Order, reader: Name, missed: Name) -> list[tuple[_Order, Name]]:
    """What the thread of `missed` writes too late for `reader` in `bad`, with the order in which it happens; empty
    if it is not too late. If the thread changes the element several times, this is its first change."""
    read_at, at = bad.row(reader), bad.row(missed)
    written = good.row(missed)
    assert written is not None
    rows = bad.history.writes(*good.history.place(written))
    later = [bad.history.name(int(row)) for row in rows if row > (read_at or 0)]
    of_thread = [name for name in later if name[:2] == missed[:2]]
    if at is not None and at in rows and missed not in of_thread:
        return []
    if of_thread and _both_change(bad, reader, (bad, of_thread[0])):
        return [(bad, of_thread[0])]
    return [(bad, missed) if missed in of_thread else (good, missed), *((bad, name) for name in of_thread[:1])]


def _comes_later(order: _Order, former: Name, latter: Name) -> bool:
    """Whether access `former` comes after `latter` in `order`, or doesn't happen."""
    first, second = order.row(former), order.row(latter)
    return first is None or (second is not None and first > second)


def _both_change(order: _Order, reader: Name, write: tuple[_Order, Name]) -> bool:
    """Whether the writer read what the reader reads before writing, and the reader writes too."""
    writer = write[1]
    value = order.event(reader)["value"]
    place = [order.event(reader)[field] for field in _PLACE]

    def uses(name: Name, action: int) -> list[np.void]:
        events = order.history.events[order.history.of(*name[:2])]
        return [e for e in events if e["action"] == action and [e[field] for field in _PLACE] == place]

    if write[0] is not order:
        return False
    before = [e for e in uses(writer, _READ) if e["step"] < order.event(writer)["step"]]
    writes_too = any(e["step"] > order.event(reader)["step"] for e in uses(reader, _WRITE))
    return writes_too and bool(before) and bool((before[-1]["value"] == value).all())


def _spelled(name: Name) -> str:
    return ":".join(map(str, name))


def _conflict(barriers: np.ndarray, first: np.void, second: np.void) -> bool:
    """Whether two accesses to one element by different threads conflict (not both reads, not both atomics) with no
    barrier of their block between them; `barriers` has the events of threads that leave one."""
    if first["action"] == second["action"] != _WRITE:
        return False
    return bool(first["block"] != second["block"]) or _interval(barriers, first) == _interval(barriers, second)


def _interval(barriers: np.ndarray, event: np.void) -> int:
    """How many barriers the thread of `event` had left before."""
    mine = (barriers["block"] == event["block"]) & (barriers["thread"] == event["thread"])
    return int((mine & (barriers["step"] < event["step"])).sum())
