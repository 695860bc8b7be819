"""Runs what kernels launch. A child runs once the grid that has launched it is over, which is one of the orders that
CUDA allows: nothing on the GPU can wait for a child, and the grid's own operation is over only after all children. Each
stream of kernels is one of the timeline, so that children race as operations of streams do.

What the grid itself does after a launch, or what its other threads do, may race with the child. That shows only once it
is known what the child uses: then the grid is run again, on the memory that it found, and looked at for that.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...compiler.toolchain import Module
from ...core.child_launches import Child, ChildCopy, ChildLaunch, ChildUses
from ...core.findings import Access
from ...core.host_findings import HostKind, Place
from ...report.vocabulary import start, thread_of
from ..memory.access_spans import Uses, joined
from ..memory.copies import ON_GPU, copy, fill
from ..memory.heap import ADDRESS
from ..memory.memory import launchers_of
from ..state import State, answered, errors, name_of
from ..timeline import Operation
from ..wire import Call
from .grids import Done, Grid, UncompiledError, refused, run
from .kernels import KernelText, Launcher

#: Streams that each grid has: the default one of each block, and two for which there are only names.
_DEFAULT, _TAIL, _FORGET = 0, 3, 4
#: The errors by which the emulator's runtime lets a launch fail, and the reasons of `FailedLaunch` (none: the size of
#: grid or block, which `refused` finds).
_REASONS = {
    "cudaErrorLaunchMaxDepthExceeded": "depth",
    "cudaErrorLaunchPendingCountExceeded": "pending",
    "cudaErrorInvalidResourceHandle": "stream of others",
}


def run_with_children(state: State, given: Grid) -> None:
    """Run a grid that a GPU does not refuse, and all that is launched by its threads, and so on."""
    done = run(state, given)
    if not done.children:
        return
    children = _Children(state, given, done)
    try:
        for child in (*children.before_the_end, *children.at_the_end):
            if not children.run(child):
                break
    finally:
        children.end()


class _Children:
    """What the threads of a grid that has run have launched."""

    def __init__(self, state: State, given: Grid, done: Done) -> None:
        self._state, self._given, self._done = state, given, done
        self._begin = state.timeline.of_stream(given.stream)
        self._streams: dict[tuple[object, ...], int] = {}
        self._used: dict[int, list[Operation]] = {}
        self._crashes = state.crash_count
        self.at_the_end = [child for child in done.children if child.stream == _TAIL]
        self.before_the_end = [child for child in done.children if child.stream != _TAIL]

    def run(self, child: Child) -> bool:
        """Run a child; False if no other one should run after it."""
        state, kernel, place = self._state, self._done.launched.kernel, self._place(child)
        by = Launcher(self._done.launched, child.at)
        stream = self._stream(child)
        count = len(state.timeline.in_flight)
        state.launchers.append(by)
        try:
            if isinstance(child, ChildLaunch):
                goes_on = self._launch(child, kernel, stream, place, by)
            else:
                assert isinstance(child, ChildCopy)
                goes_on = self._copy(child, stream, place)
        finally:
            state.launchers.pop()
        self._used[child.number] = state.timeline.in_flight[count:]
        return goes_on and state.crash_count == self._crashes

    def end(self) -> None:
        """The grid's own operation is over only after all of its children."""
        timeline = self._state.timeline
        for stream in self._streams.values():
            timeline.wait(self._given.stream, timeline.of_stream(stream))
        self._find_races()

    def _place(self, child: Child) -> Place:
        file, line = self._done.launched.kernel.gathered.lines[child.at.line - 1] if child.at.line else ("", 0)
        return Place(file, line, child.at.text)

    def _stream(self, child: Child) -> int:
        """Return the stream of the timeline that a child is in."""
        key = (child.stream, *((child.at.block,) if child.stream == _DEFAULT else ()))
        if child.stream == _FORGET:
            key = (_FORGET, child.number)
        if key not in self._streams:
            state = self._state
            self._streams[key] = stream = state.new_handle()
            state.timeline.create(stream, blocking=False, device=state.device, of_gpu=True)
            state.timeline.wait(stream, self._begin)
        stream = self._streams[key]
        if child.stream == _TAIL:
            for other in self._streams.values():
                self._state.timeline.wait(stream, self._state.timeline.of_stream(other))
        return stream

    def _launch(self, child: ChildLaunch, kernel: KernelText, stream: int, place: Place, by: Launcher) -> bool:
        state = self._state
        launched = state.kernels.launched_by(kernel, child.kernel)
        if launched is None:
            state.find(HostKind.FAILED_LAUNCH, place, launchers_of(state), why="no kernel", number=0, name="", error="")
            state.crashes(self._done.operation, errors()["cudaErrorLaunchFailure"])
            return False
        if not isinstance(launched.compiled, Module):
            raise UncompiledError(launched, launched.compiled, place)
        error, reason = name_of(child.error) if child.error else "", ""
        why = (error, _REASONS[error], state.here.launch_limit) if error in _REASONS else None
        why = why or refused(state, launched, child.grid, child.block, child.shared, cooperative=False)
        if why:
            error, reason, number = why
            facts: dict[str, str | int] = {"number": number, "name": launched.name, "error": error}
            state.find(HostKind.FAILED_LAUNCH, place, launchers_of(state), why=reason, **facts)
            if error == "cudaErrorLaunchFailure":
                state.crashes(self._done.operation, errors()[error])
            return error != "cudaErrorLaunchFailure"
        if child.escaped is not None:
            parameters = zip(launched.offsets, launched.signature.parameters, strict=True)
            name = next((p.name for at, p in parameters if at <= child.escaped < at + p.bytes), "")
            facts = {"argument": name, "name": launched.name, "number": 0, "error": ""}
            state.find(HostKind.FAILED_LAUNCH, place, launchers_of(state), why=f"{child.space} pointer", **facts)
            state.crashes(self._done.operation, errors()["cudaErrorIllegalAddress"])
            return False
        parts = zip(launched.offsets, launched.sizes, strict=True)
        arguments = b"".join(child.arguments[at : at + size] for at, size in parts)
        run_with_children(state, Grid(launched, child.grid, child.block, arguments, child.shared, stream, place, by=by))
        return True

    def _copy(self, child: ChildCopy, stream: int, place: Place) -> bool:
        state = self._state
        if child.error:
            error = name_of(child.error)
            name = "cudaMemsetAsync" if child.fills else "cudaMemcpyAsync"
            facts: dict[str, str | int] = {"number": state.here.launch_limit, "name": name, "error": error}
            state.find(HostKind.FAILED_LAUNCH, place, launchers_of(state), why=_REASONS[error], **facts)
            return True
        numbers = (child.to, child.source, child.bytes)
        call = Call("cudaMemsetAsync", 0, (*numbers, stream), b"", state.device)
        if not child.fills:
            call = Call("cudaMemcpyAsync", 0, (*numbers, ON_GPU, stream), b"", state.device)
        if answered(fill if child.fills else copy, state, call, place).error:
            state.crashes(self._done.operation, errors()["cudaErrorIllegalAddress"])
            return False
        at, memory = child.to - ADDRESS, state.heap.bytes
        if child.fills:
            memory[at : at + child.bytes] = child.source
        else:
            source = child.source - ADDRESS
            memory[at : at + child.bytes] = memory[source : source + child.bytes].copy()
        return True

    # ---- the grid itself, and its children

    def _find_races(self) -> None:
        state, done = self._state, self._done
        if not done.before or state.crash_count > self._crashes:
            return
        of_child = {
            child.number: joined(operation.uses for operation in self._used.get(child.number, ()))
            for child in self.before_the_end
        }
        uses = [use for number, used in of_child.items() for use in _to_compare(number, used, done.used)]
        if not uses:
            return
        again = state.budget.check_again(done.launched.kernel, done.requested, done.before, uses)
        by_number = {child.number: child for child in self.before_the_end}
        for race in again.child_races:
            self._find_race(by_number[race.number], race.start + ADDRESS, race.writes, race.action != "read", race.at)

    def _find_race(self, child: Child, address: int, writes: bool, writes_itself: bool, at: Access) -> None:
        """Find a race of a thread of the grid with what a child does."""
        state, done = self._state, self._done
        known = state.heap.find(address)
        of_child = next(o for o in self._used[child.number] if _uses(o, address, writes=writes))
        gathered = done.launched.kernel.gathered
        file, line = gathered.lines[at.line - 1] if at.line else ("", 0)
        verb = "writes" if writes_itself else "reads"
        others = [(f"{done.launched.kernel.name} {verb}", Place(file, line, at.text)), *of_child.lines("")[1:]]
        facts = {"thread": start(thread_of(at, done.launched.launch)), "kernel": done.launched.kernel.name}
        what = of_child.use(writes)
        name = known.name if known else ""
        state.find(HostKind.STREAM_RACE, of_child.place, others, what=what, name=name, why="parent", **facts)


def _uses(operation: Operation, address: int, *, writes: bool) -> bool:
    spans = operation.uses.writes if writes else operation.uses.reads
    return bool(((spans[:, 0] < address + 4) & (address < spans[:, 1])).any())


def _to_compare(number: int, used: Uses, by_grid: Uses) -> Iterator[ChildUses]:
    """Yield what a child uses, where that may race with what its grid uses."""
    if by_grid.conflict(used) is None:
        return
    common = used.within(by_grid)
    plain = common.plain
    for spans, writes, atomic in (
        (plain.writes, True, False),
        (common.atomics, True, True),
        (plain.reads, False, False),
    ):
        for begin, end in spans.tolist():
            yield ChildUses(number, begin - ADDRESS, end - begin, writes, atomic)
