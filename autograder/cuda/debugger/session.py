"""What a debugger does, whoever asks for it: the moment, the thread in focus, steps, breakpoints and findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..core.findings import Access, Dim3, Finding
from ..core.run import TRACE_ACTIONS
from ..errors import UsageError
from .expressions import Evaluator
from .frames import Frame, frames
from .memory import Memory
from .recording import ACCESSES, LINE, Recorded
from .replay import Replay, Scope
from .values import Value

#: Threads of a warp.
LANES = 32
How = Literal["into", "over", "out"]


@dataclass(frozen=True)
class Breakpoint:
    """A line of the text. With a condition, it stops each thread of the block for which that is true; without, the
    thread in focus or, if that never gets there, the first one that does."""

    line: int
    condition: str = ""


@dataclass(frozen=True)
class Stop:
    """Why a launch stops: at a "breakpoint", a "finding", or its "end"."""

    reason: Literal["breakpoint", "finding", "end"]
    breakpoint: Breakpoint | None = None
    finding: Finding | None = None


class Session:
    """A recorded launch at a moment, and the thread in focus: `block` and `thread`, linear numbers.

    Args:
        record: runs the launch, and follows a block.
    """

    def __init__(self, record: Callable[[int], Recorded], block: int = 0, thread: int = 0) -> None:
        self._record = record
        self.breakpoints: Sequence[Breakpoint] = ()
        self.stops_at_findings = True
        self._shown: list[Finding] = []  # of those in other blocks
        self._load(block)
        self.focus(block, thread)
        if len(begun := self.replay.thread(block, thread).begun_lines()):
            self.replay.at = int(begun[0])

    def _load(self, block: int) -> None:
        self.recorded = self._record(block)
        if self.recorded.trace.debug is None:
            raise UsageError("There is nothing to step through.")
        self.replay = Replay(self.recorded.trace, self.recorded.before)
        self.memory = Memory(self.recorded, self.replay)

    # ---- the thread in focus

    def focus(self, block: int, thread: int) -> None:
        """Look at another thread, at the same moment.

        Raises:
            UsageError: the launch has no such thread, or the recording has nothing of it.
        """
        if not 0 <= thread < self.recorded.threads or not 0 <= block < int(np.prod(self.recorded.grid)):
            raise UsageError(f"The launch has no thread {thread} of a block {block}.")
        if block != self.recorded.followed:
            done = self.replay.changes()
            self._load(block)
            self.replay.go_to_change(done)
        is_recorded = len(self.replay.thread(block, thread).positions)
        self.block, self.thread = block, thread if is_recorded else (self.replay.threads(block) or [0])[0]
        if not is_recorded:
            raise UsageError(
                f"The recording has nothing of thread {thread} of block {block}: it is full, or the launch stopped "
                "before that."
            )

    def index(self, linear: int, extent: Dim3) -> Dim3:
        """Return a linear number as coordinates."""
        return linear % extent[0], linear // extent[0] % extent[1], linear // (extent[0] * extent[1])

    def neighbors(self) -> list[tuple[int, int]]:
        """Return the threads to show, as (first, last): each of the focused warp, and the first of every other warp,
        which stands for all of it."""
        found = []
        for first in range(0, self.recorded.threads, LANES):
            last = min(first + LANES, self.recorded.threads) - 1
            if first <= self.thread <= last:
                found += [(each, each) for each in range(first, last + 1)]
            else:
                found.append((first, last))
        return found

    def frames(self, thread: int | None = None) -> list[Frame]:
        """Return the calls that a thread of the block is in, the latest first; none if it has ended."""
        events = self.replay.thread(self.block, self.thread if thread is None else thread)
        assert self.recorded.trace.debug
        return frames(events, self.replay.at, self.recorded.trace.debug)

    def place(self) -> tuple[int, str]:
        """Return the line of the thread in focus (0: the kernel's end), and what it does there next, if that is an
        access or a barrier."""
        trace, events = self.recorded.trace, self.replay.events.all
        frames = self.frames()
        if self.replay.at < len(events):
            event = events[self.replay.at]
            is_in_focus = (event["block"], event["thread"]) == (self.block, self.thread)
            if is_in_focus and event["action"] in ACCESSES:
                what = TRACE_ACTIONS[event["action"]].replace("_", " ")
                if event["array"] >= 0:
                    value = trace.value(event)
                    what += f" {trace.arrays[event['array']]}[{event['index']}]" + (
                        "" if value is None else f": {value}"
                    )
                return int(event["line"]), what
        return frames[0].line if frames else 0, ""

    # ---- steps

    def step(self, how: How = "into", scope: str = "thread", *, back: bool = False) -> bool:
        """Go to the next line of the thread in focus, of its warp or of its block, or back to the one before: "into"
        functions that it calls, "over" them or "out" of its own. False if there is none, and then stay."""
        depth = len(self.frames())
        deepest = {"into": None, "over": depth, "out": depth - 1}[how]
        return self._moved(self.replay.move_line(Scope.of(scope, self.block, self.thread), back=back, deepest=deepest))

    def step_access(self, scope: str = "thread", *, back: bool = False, line: int | None = None) -> bool:
        """Return the same with accesses and barriers, perhaps only those of a line."""
        return self._moved(self.replay.move(Scope.of(scope, self.block, self.thread), back=back, line=line))

    def go_to_line(self, line: int, *, back: bool = False) -> bool:
        """Go to where the thread in focus next begins a line, or back to where it last did."""
        places = self.replay.hits(self.block, self.thread, line)
        places = places[places < self.replay.at][::-1] if back else places[places > self.replay.at]
        if len(places):
            self.replay.at = int(places[0])
        return bool(len(places))

    def _moved(self, moved: bool) -> bool:
        if moved:
            self.thread = int(self.replay.events.all["thread"][self.replay.at])
        return moved

    # ---- running

    def run(self, *, back: bool = False, at_first: bool = False) -> Stop:
        """Go on, or back, to a breakpoint; forward, also to a finding. The focus goes to the thread that stops. With
        `at_first`, from the launch's beginning."""
        if at_first:
            self.replay.at = self.replay.events.first - 1
        hits = [
            (at, Stop("breakpoint", point)) for point in self.breakpoints if (at := self._next_hit(point, back)) >= 0
        ]
        if self.stops_at_findings and not back:
            later = ((self._position(finding), Stop("finding", finding=finding)) for finding in self.recorded.findings)
            hits += [(at, stop) for at, stop in later if at > self.replay.at]
            if not hits and (stop := self._go_to_another_block()):
                return stop
        if not hits:
            events = self.replay.events
            self.replay.at = events.first if back else len(events.all)
            return Stop("end")
        at, stop = (max if back else min)(hits, key=lambda hit: hit[0])
        self.replay.at = at
        event = self.replay.events.all[at]
        self.focus(int(event["block"]), int(event["thread"]))
        return stop

    def line_with_code(self, line: int) -> int:
        """Return the line itself or, if no code is in it, the next one of its file where some is; 0: there is none."""
        assert self.recorded.trace.debug
        file, _ = self.recorded.file_of(line)
        later = {known.line for known in self.recorded.trace.debug.lines if known.line >= line}
        return min((number for number in later if self.recorded.file_of(number)[0] == file), default=0)

    def _next_hit(self, point: Breakpoint, back: bool) -> int:
        """Return the position at which a breakpoint stops next; -1: it does not."""
        mine = self.replay.hits(self.block, self.thread, point.line)
        if point.condition or not len(mine):
            each = {
                thread: self.replay.hits(self.block, thread, point.line) for thread in self.replay.threads(self.block)
            }
            each = {thread: places for thread, places in each.items() if len(places)}
            if not each:
                return -1
            first = min(each, key=lambda thread: int(each[thread][0]))
            mine = np.sort(np.concatenate([*each.values()])) if point.condition else each[first]
        mine = mine[mine < self.replay.at][::-1] if back else mine[mine > self.replay.at]
        return next((int(at) for at in mine if not point.condition or self._is_true(point.condition, int(at))), -1)

    def _is_true(self, condition: str, at: int) -> bool:
        """Return whether a condition holds at a position; one that cannot be evaluated there stops, so that it is
        noticed."""
        before, self.replay.at = self.replay.at, at
        try:
            thread = int(self.replay.events.all["thread"][at])
            return bool(self.evaluator(thread).number(condition))
        except UsageError:
            return True
        finally:
            self.replay.at = before

    def _go_to_another_block(self) -> Stop | None:
        """Go to a finding in another block, if there is one at which nobody has stopped."""
        for finding in self.recorded.findings:
            if finding in self._shown or not finding.accesses or self._position(finding) >= 0:
                continue
            self._shown.append(finding)
            self.focus(*self._linear(finding.accesses[-1]))
            if (at := self._position(finding)) >= 0:
                self.replay.at = at
                return Stop("finding", finding=finding)
        return None

    def _position(self, finding: Finding) -> int:
        """Return where in the recording a finding shows: at the last of its accesses in the block that is followed or,
        if that was not made any more, where its thread stopped; -1: nowhere."""
        return max((self._position_of(access) for access in finding.accesses), default=-1)

    def _linear(self, access: Access) -> tuple[int, int]:
        """Return the block and the thread of an access."""
        pairs = (access.block, self.recorded.grid), (access.thread, self.recorded.block)
        block, thread = (x + extent[0] * (y + extent[1] * z) for (x, y, z), extent in pairs)
        return block, thread

    def _position_of(self, access: Access) -> int:
        block, thread = self._linear(access)
        events = self.replay.thread(block, thread)
        if block != self.recorded.followed or not len(events.positions):
            return -1
        there = np.flatnonzero((events.events["line"] == access.line) & (events.actions != LINE))
        if access.array in self.recorded.trace.arrays:
            number = self.recorded.trace.arrays.index(access.array)
            there = there[(events.actions[there] < LINE) & (events.events["array"][there] == number)]
        return int(events.positions[there[0] if len(there) else -1])

    # ---- values

    def locals(self, thread: int | None = None, depth: int = 0) -> list[tuple[str, Value, str]]:
        """Return the variables of a call that a thread of the block is in, and what each holds, in words."""
        number = self.thread if thread is None else thread
        evaluator = self.evaluator(number, depth)
        each = [
            (name, evaluator.referred(value))
            for frame in self.frames(number)[depth : depth + 1]
            for name, value in self.memory.locals(self.block, number, frame)
        ]
        return [(name, value, evaluator.shown(value)) for name, value in each]

    def evaluator(self, thread: int | None = None, depth: int = 0) -> Evaluator:
        """Evaluates expressions in a call that a thread of the block is in: 0 for the latest."""
        number = self.thread if thread is None else thread
        frames = self.frames(number)
        dims = {
            "threadIdx": self.index(number, self.recorded.block),
            "blockIdx": self.index(self.block, self.recorded.grid),
            "blockDim": self.recorded.block,
            "gridDim": self.recorded.grid,
        }
        return self.memory.evaluator(self.block, number, frames[depth:], dims)
