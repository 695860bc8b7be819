"""What happens before what: the host's calls, and the operations that streams and events order.

Each operation is the n-th of its stream. A clock says for each stream how many of its operations are known to be over:
the host's clock for the host, an operation's for what begins then. Here all runs at once, in the order of the calls.
Where no clock orders two operations, that is one order of several, and a GPU may choose another.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from ..core.host_findings import LAUNCHES_GRAPH, NOWHERE, Place
from .memory.access_spans import NO_USES, Conflict, Uses, joined

Clock = dict[int, int]
#: The default stream, which waits for all others that are not "non-blocking", and they for it.
DEFAULT = 0
#: Another default stream, of each of the host's threads. (Here they have one together.)
PER_THREAD = 2
#: From a default stream of one GPU to that of the next; other streams have larger numbers.
_APART, OTHER_STREAMS = 16, 0x1000
#: What a function of the host's does that a stream calls.
CALLS_BACK = "calls back"
#: Most pairs of a copy and a kernel beside it that are kept: those that come first.
_MOST_PAIRS = 5000
#: What stands for a copy or a kernel.
_Id = TypeVar("_Id", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Operation:
    """The `index`-th operation of `stream`: `what` it is, as a clause with a verb, or a kernel's name; where, and what
    it uses. `copies` are the bytes of a copy between host and GPU that may go on while the host does something else.
    Of a node of a graph, `launched` is where the graph was launched. A kernel may begin before the operation before it
    is over: then `early` is what it uses before it waits for that, and `early_clock` what it knows meanwhile.
    `lets_begin`: such a kernel after it may begin when it has begun. Of what a kernel has launched, `launchers` are
    the lines that have launched that kernel, and so on."""

    stream: int
    index: int
    what: str
    place: Place
    uses: Uses
    clock: Clock
    is_kernel: bool
    copies: int
    launched: Place = NOWHERE
    early: Uses = NO_USES
    early_clock: Clock = field(default_factory=dict)
    lets_begin: bool = False
    launchers: tuple[tuple[str, Place], ...] = ()

    def before(self, clock: Clock) -> bool:
        """Return whether `clock` knows it to be over."""
        return self.index <= clock.get(self.stream, 0)

    def use(self, writes: bool) -> str:
        """Return what it does with what it uses, as a clause."""
        return f"{self.what} {'writes' if writes else 'reads'}" if self.is_kernel else self.what

    def lines(self, what: str) -> list[tuple[str, Place]]:
        """Return the lines that have to do with it, where its own does `what`."""
        of_graph = [(LAUNCHES_GRAPH, self.launched)] if self.launched.line else []
        return [(what, self.place), *self.launchers, *of_graph]


def default_stream(device: int) -> int:
    """Return the default stream of a GPU."""
    return DEFAULT + _APART * device


def is_default(stream: int) -> bool:
    return stream < OTHER_STREAMS and stream % _APART == DEFAULT


@dataclass
class _Stream:
    blocking: bool
    device: int
    of_gpu: bool = False
    destroyed: bool = False
    clock: Clock = field(default_factory=dict)
    count: int = 0
    #: The latest operation, if nothing has come into the stream after it, such as an event to wait for.
    last: Operation | None = None


class Timeline:
    """The streams of a program, and its operations that the host does not know to be over."""

    def __init__(self, devices: int = 1) -> None:
        starts = {default_stream(device): device for device in range(devices)}
        self._streams = {
            start + at: _Stream(True, device) for start, device in starts.items() for at in (0, PER_THREAD)
        }
        self._host: Clock = {}
        self.in_flight: list[Operation] = []
        #: Those of which the host's code that runs does not know that they are over: a function that a stream calls
        #: knows more than the rest.
        self.unknown = self.in_flight
        self._called: Operation | None = None
        self.waits = 0
        self.copied = 0
        self._travelled: list[Uses] = []
        self._beside: dict[Operation, list[Operation]] = {}  # by copy, the kernels that nothing orders with it
        self._pairs = 0

    def create(self, stream: int, blocking: bool, device: int = 0, of_gpu: bool = False) -> None:
        """`of_gpu`: a branch of an executable graph, or a stream of kernels that launch kernels."""
        self._streams[stream] = _Stream(blocking, device, of_gpu)

    def device(self, stream: int) -> int:
        """Return the GPU that a stream belongs to."""
        return self._streams[stream].device

    def is_blocking(self, stream: int) -> bool:
        """Return whether the default stream waits for it."""
        return self._streams[stream].blocking

    def is_of_gpu(self, stream: int) -> bool:
        return self._streams[stream].of_gpu

    def knows(self, stream: int) -> bool:
        return stream in self._streams and not self._streams[stream].destroyed

    def destroy(self, stream: int) -> None:
        """Its operations go on, and who waited for them by itself, as the default stream may, still does."""
        self._streams[stream].destroyed = True

    def add(
        self,
        stream: int,
        what: str,
        place: Place,
        used: Uses | None = None,
        *,
        kernel: bool = False,
        copies: int = 0,
        launched: Place = NOWHERE,
        early: Uses = NO_USES,
        lets_begin: bool = False,
        launchers: Sequence[tuple[str, Place]] = (),
    ) -> Operation:
        """Put an operation into a stream. What it uses `early`, it uses as soon as the kernel before it has
        begun, if that lets it begin."""
        mine = self._streams[stream]
        clock = self._begin(stream)
        early_clock = dict(clock)
        if mine.last and mine.last.lets_begin:
            early_clock = dict(self._host)
            _join(early_clock, mine.last.early_clock)
        mine.count += 1
        clock[stream] = mine.count
        mine.clock = clock
        made = Operation(
            stream,
            mine.count,
            what,
            place,
            used or NO_USES,
            dict(clock),
            kernel,
            copies,
            launched,
            early,
            early_clock,
            lets_begin,
            tuple(launchers),
        )
        mine.last = made
        self._overlap(made)
        self.in_flight.append(made)
        return made

    def travel(self, size: int, memory: Uses) -> None:
        """Record that bytes are copied between the host and this memory of the GPU."""
        self.copied += size
        self._travelled.append(memory)

    @property
    def overlapped(self) -> int:
        """Bytes of copies that nothing orders with some kernel which works on what is copied between host and GPU. A
        kernel hides no more bytes than it uses of that: an idle kernel, or one with separate memory, hides no copy, and
        one at work on a piece hides no more than a piece."""
        travelled = joined(self._travelled)
        kernels = {kernel for beside in self._beside.values() for kernel in beside}
        rooms = {kernel: kernel.uses.bytes_within(travelled) for kernel in kernels}
        return most_hidden({copy: copy.copies for copy in self._beside}, rooms, self._beside)

    def _overlap(self, made: Operation) -> None:
        for other in self.in_flight if made.is_kernel or made.copies else ():
            kernel, copy = (made, other) if made.is_kernel else (other, made)
            if self._pairs < _MOST_PAIRS and kernel.is_kernel and copy.copies and not other.before(made.clock):
                self._beside.setdefault(copy, []).append(kernel)
                self._pairs += 1

    def conflicts(self, operation: Operation) -> Iterator[tuple[Operation, Conflict]]:
        """Yield the earlier operations that are not ordered with `operation` and conflict with it, and where."""
        for other in self.in_flight:
            if other is operation:
                continue
            used = operation.uses if not other.before(operation.clock) else operation.early
            if not other.before(operation.early_clock) and (found := other.uses.conflict(used)):
                yield other, found

    def of_stream(self, stream: int) -> Clock:
        """Return the clock of what comes next in a stream; an event remembers it."""
        return self._begin(stream)

    def of_device(self, device: int) -> Clock:
        """Return the clock of all that has been put into the streams of a GPU."""
        out: Clock = {}
        for stream in self._streams.values():
            if stream.device == device:
                _join(out, stream.clock)
        return out

    def let_device_wait(self, device: int, clock: Clock) -> None:
        """What comes next in any stream of a GPU begins after all that `clock` knows."""
        for stream, known in self._streams.items():
            if known.device == device:
                self.wait(stream, clock)

    def wait(self, stream: int, clock: Clock) -> None:
        """What comes next in the stream begins after all that `clock` knows."""
        _join(self._streams[stream].clock, clock)
        self._streams[stream].last = None

    def synchronize(self, clock: Clock | None = None) -> None:
        """The host has waited for what `clock` knows; None: for everything."""
        for known in [clock] if clock is not None else [s.clock for s in self._streams.values()]:
            _join(self._host, known)
        if any(operation.before(self._host) for operation in self.in_flight):
            self.in_flight = [operation for operation in self.in_flight if not operation.before(self._host)]
            self.unknown = self.in_flight

    def call_back(self, operation: Operation | None) -> None:
        """From now on, the host runs a function that is an operation of a stream; None: no longer."""
        self.unknown = self.in_flight
        self._called = operation
        if operation:
            self.unknown = [other for other in self.in_flight if not other.before(operation.clock)]

    def end_call_back(self, used: Uses) -> None:
        """The function has run, and has used this memory of the host's own."""
        called = self._called
        self.in_flight = [replace(other, uses=used) if other is called else other for other in self.in_flight]
        self.call_back(None)

    def knows_over(self, clock: Clock) -> bool:
        """Return whether the host knows all to be over that `clock` knows."""
        return all(self.is_over(stream, index) for stream, index in clock.items())

    @property
    def host(self) -> Clock:
        """What the host knows to be over."""
        return self._host

    def is_over(self, stream: int, index: int) -> bool:
        """Return whether the host knows the operation to be over."""
        return index <= self._host.get(stream, 0)

    def _begin(self, stream: int) -> Clock:
        mine = self._streams[stream]
        out = dict(self._host)
        _join(out, mine.clock)
        if is_default(stream):
            for other in self._streams.values():
                if other.blocking and other.device == mine.device:
                    _join(out, other.clock)
        elif mine.blocking:
            _join(out, self._streams[default_stream(mine.device)].clock)
        return out


def _join(into: Clock, other: Clock) -> None:
    for stream, count in other.items():
        into[stream] = max(into.get(stream, 0), count)


# ---- how much of what is copied kernels can hide, if each hides no more than it works on itself


def most_hidden(copies: Mapping[_Id, int], rooms: Mapping[_Id, int], beside: Mapping[_Id, Sequence[_Id]]) -> int:
    """Return the most bytes of all copies together for which kernels have room: a largest flow from copies to kernels,
    by the shortest ways first (Edmonds and Karp).

    Args:
        copies: the bytes of each.
        rooms: of each kernel, the bytes that it can hide.
        beside: for each copy, the kernels that may run meanwhile.
    """
    hidden: dict[_Id, dict[_Id, int]] = defaultdict(dict)  # by kernel and copy
    free, total = dict(rooms), 0
    for copy, size in copies.items():
        left = size
        while left and (way := _way(copy, beside, hidden, free)):
            # From the kernel that has room back to the copy: each kernel in between gives a part of another copy away.
            bytes_ = min([left, free[way[0][1]], *(hidden[kernel][other] for other, kernel in _given_away(way))])
            for of_copy, kernel in way:
                hidden[kernel][of_copy] = hidden[kernel].get(of_copy, 0) + bytes_
            for other, kernel in _given_away(way):
                hidden[kernel][other] -= bytes_
            free[way[0][1]] -= bytes_
            left -= bytes_
            total += bytes_
    return total


def _given_away(way: Sequence[tuple[_Id, _Id]]) -> list[tuple[_Id, _Id]]:
    """Return each copy of which a kernel of the way gives a part away, and that kernel."""
    return [(copy, kernel) for (copy, _), (_, kernel) in pairwise(way)]


def _way(
    start: _Id,
    beside: Mapping[_Id, Sequence[_Id]],
    hidden: Mapping[_Id, Mapping[_Id, int]],
    free: Mapping[_Id, int],
) -> list[tuple[_Id, _Id]]:
    """From a kernel that has room back to the copy `start`: each copy, and the kernel that takes a part of it."""
    by: dict[_Id, _Id] = {}  # the copy by which a kernel was found
    found_by: dict[_Id, _Id | None] = {start: None}  # the kernel by which a copy was found
    waiting = deque([start])
    while waiting:
        copy = waiting.popleft()
        for kernel in beside.get(copy, ()):
            if kernel in by:
                continue
            by[kernel] = copy
            if free[kernel]:
                way = [(copy, kernel)]
                while (before := found_by[way[-1][0]]) is not None:
                    way.append((by[before], before))
                return way
            for other, bytes_ in hidden.get(kernel, {}).items():
                if bytes_ and other not in found_by:
                    found_by[other] = kernel
                    waiting.append(other)
    return []
