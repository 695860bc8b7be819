"""Answers the calls of libraries. A call that needs memory of the host's own, which only the program has, is a
generator: it yields what to read or to write. What a call returns is the library's status."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeVar

import numpy as np

from ...core.host_findings import HostKind, Place
from ..graphs.graph import Capture, Node, NodeType, Work
from ..graphs.graph_nodes import add_node, missing
from ..memory.access_spans import Spans, Uses, joined
from ..memory.copies import copy_rows
from ..memory.heap import Allocation, in_heap
from ..memory.initialized import with_spans, without_values
from ..memory.memory import add_operation, find_peer, find_use
from ..state import Answer, FailedError, State, errors
from ..wire import Call, Reply
from .operands import Operand

T = TypeVar("T")


class Read(NamedTuple):
    """Asks for this many bytes at an address of the host's."""

    address: int
    size: int


class Write(NamedTuple):
    """Puts bytes at an address of the host's."""

    address: int
    content: bytes


Steps = Generator[Read | Write, bytes, None]
StatusSteps = Generator[Read | Write, bytes, int | None]
#: Without a status, a call succeeds, which is 0 of all libraries.
Function = Callable[..., StatusSteps | int | None]
#: What the first number of a reply tells the program to do (`runtime/libraries.cpp`).
_DONE, _READ, _WRITE = 0, 1, 2


class RefusedError(Exception):
    """A library refuses a call: the status that it returns, and for the report the `argument` and `why`."""

    def __init__(self, status: int, argument: str, why: str, **facts: int | str) -> None:
        super().__init__(argument)
        self.status = status
        self.facts: dict[str, str | int] = {"argument": argument, "why": why, **facts}


class WrongIndexError(Exception):
    """An index in the GPU's memory leads beyond an operand: what it is, for the report."""

    def __init__(self, **facts: int | str) -> None:
        super().__init__(facts)
        self.facts = facts


class LaterError(Exception):
    """A call in this captured stream needs what is on the GPU: it can be made only where its graph is launched."""

    def __init__(self, stream: int) -> None:
        super().__init__(stream)
        self.stream = stream


@dataclass(frozen=True)
class LibraryCall:
    """A call of the function `name` at `place`; of a graph, in the stream in which that is `launched`."""

    state: State
    name: str
    place: Place
    launched: int | None = None

    def host(self, status: int, argument: str, address: int) -> int:
        """Return the address of an argument that is the host's memory. Raises RefusedError: it is null, or the
        GPU's."""
        if not address:
            raise RefusedError(status, argument, "null")
        if in_heap(address) and (known := self.state.heap.find(address)) and known.sort == "device":
            raise RefusedError(status, argument, "device")
        return address

    def new(self, made: object, status: int, argument: str, out: int, size: int = 8) -> Steps:
        """Give the program the handle of what is made. Raises what `host` raises."""
        address = self.host(status, argument, out)
        handle = self.state.new_handle()
        self.state.libraries[handle] = made
        yield Write(address, handle.to_bytes(size, "little"))

    def found(self, kind: type[T], status: int, argument: str, handle: int) -> T:
        """Return what has this handle. Raises RefusedError: nothing of this kind."""
        made = self.state.libraries.get(handle)
        if not isinstance(made, kind):
            raise RefusedError(status, argument, "handle")
        return made

    def put(self, stream: int, operands: Sequence[Operand], compute: Callable[[], T]) -> T | None:
        """Put work into a stream that uses these operands; what `compute` returns. None: an operand is wrong, or has an
        index that `compute` finds to be (WrongIndexError), and the work ends by an error that lasts, as on a GPU."""
        state = self.state
        stream = stream if self.launched is None else self.launched
        state.require(stream)
        if capture := state.graphs.captures.get(stream):
            self.capture(capture, stream, lambda again: self.put(again, operands, compute))
            return None
        operands = [operand for operand in operands if operand.size]
        found = [self._memory(operand, state.timeline.device(stream)) for operand in operands]
        right = [(operand, memory) for operand, memory in zip(operands, found, strict=True) if memory]
        if len(right) < len(operands):
            self._crash(stream)
            return None
        for operand, memory in right:
            if operand.reads:
                self._find_unwritten(operand, memory)
        try:
            with np.errstate(all="ignore"):
                result = compute()
        except WrongIndexError as wrong:
            state.find(HostKind.OUT_OF_BOUNDS, self.place, (), function=self.name, **wrong.facts)
            self._crash(stream)
            return None
        for operand, memory in right:
            if operand.writes:
                memory.written = with_spans(memory.written, memory.address, memory.size, operand.spans)
                memory.filled = None
        used = joined(
            Uses(operand.spans if operand.reads else _NONE, operand.spans if operand.writes else _NONE)
            for operand in operands
        )
        add_operation(state, stream, self.name, self.place, used, kernel=True)
        return result

    def _crash(self, stream: int) -> None:
        operation = add_operation(self.state, stream, self.name, self.place, Uses(_NONE, _NONE), kernel=True)
        self.state.crashes(operation, errors()["cudaErrorIllegalAddress"])

    def capture(self, capture: Capture, stream: int, put: Callable[[int], object]) -> None:
        """Make a node of a call, which `put` puts into the stream of a launch."""

        def again(state: State, call: Call, place: Place) -> Reply:
            put(call.numbers[0])
            return Reply()

        work = Work(again, Call("", 0, (0,), b"", self.state.device), 0)
        node = Node(NodeType.KERNEL, self.place, sorted(capture.streams[stream]), work)
        capture.streams[stream] = frozenset(add_node(self.state, capture.graph, node).numbers[:1])

    def require_uncaptured(self, stream: int) -> None:
        """Raise UsageError if the stream is captured, and the host gets now what a node would give it later."""
        if stream in self.state.graphs.captures and self.launched is None:
            raise missing(f"captures {self.name}, whose result the host gets,", self.place)

    def require_launched(self, stream: int) -> None:
        """Raise LaterError if the stream is captured, and the call needs now what a node has later."""
        if stream in self.state.graphs.captures and self.launched is None:
            raise LaterError(stream)

    def wait(self, stream: int) -> None:
        """The host waits for a stream, as where a result goes to its memory."""
        self.state.timeline.synchronize(self.state.timeline.of_stream(stream))

    def array(self, operand: Operand) -> np.ndarray:
        """Return the operand's elements, in the GPU's memory, once it is found to be right."""
        return operand.array(self.state.heap.bytes)

    def _memory(self, operand: Operand, device: int) -> Allocation | None:
        """Return where an operand is, unless the GPU may not use it there, which is found."""
        state, name = self.state, operand.name
        start, end = int(operand.spans[0, 0]), int(operand.spans[-1, 1])
        if not in_heap(operand.address):
            state.find(HostKind.HOST_POINTER, self.place, name=name, function=self.name, why="library")
            return None
        known = state.heap.find(operand.address)
        if known and not known.is_live:
            find_use(state, self.place, known, name=known.name or name, function=self.name, why="call")
            return None
        if known and not state.reaches(device, known):
            find_peer(state, self.place, known, device, name=name, function=self.name, why="library")
            return None
        if known and known.address <= start and end <= known.end and not known.is_heap:
            return known
        others = [("allocates", known.place)] if known else []
        verb = "writes" if operand.writes and not operand.reads else "reads"
        facts: dict[str, str | int] = {"function": self.name, "argument": name, "bytes": end - start, "verb": verb}
        if known:
            facts |= {"name": known.name, "size": known.size, "offset": operand.address - known.address}
        why = "known" if known else "unknown"
        state.find(HostKind.OUT_OF_BOUNDS, self.place, others, why=why, **facts)
        return None

    def _find_unwritten(self, operand: Operand, memory: Allocation) -> None:
        if first := without_values(memory.written, memory.address, operand.spans):
            facts: dict[str, str | int] = {"offset": first[0] - memory.address, "bytes": first[1]}
            facts |= {"function": self.name, "argument": operand.name, "name": memory.name}
            others = [("allocates", memory.place)]
            if memory.filled:
                others.append(("writes a part", memory.filled.place))
            self.state.find(HostKind.UNINITIALIZED, self.place, others, **facts)
            # Once is enough.
            memory.written = with_spans(memory.written, memory.address, memory.size, operand.spans)


_NONE: Spans = np.empty((0, 2), np.int64)


@cache
def _library(name: str) -> ModuleType:
    if not name.isidentifier() or not (Path(__file__).parent / f"{name}.py").exists():
        raise ValueError("no library")
    return import_module(f".{name}", __package__)


@dataclass
class _Running:
    """A call that goes on: its `function` makes the `steps`, which have `read` these bytes of the host's."""

    call: LibraryCall
    function: Callable[[LibraryCall], StatusSteps]
    steps: StatusSteps
    failed: int
    read: list[bytes]

    def capture(self, stream: int) -> None:
        """Make a node of the whole call, with what the library's objects are now."""
        state, read = self.call.state, self.read
        made = {key: copy(value) for key, value in state.libraries.items()}

        def again(launched: int) -> None:
            held, state.libraries = state.libraries, made
            steps = self.function(replace(self.call, launched=launched))
            try:
                next(steps)
                for content in read:
                    steps.send(content)
                raise RuntimeError("a call in a graph reads or writes the host's memory")
            except StopIteration:
                pass
            except RefusedError as refused:
                _find_refused(self.call, refused)
            finally:
                state.libraries = held

        self.call.capture(state.graphs.captures[stream], stream, again)


def begin(state: State, call: Call, place: Place) -> Reply:
    """A call of a library's function, `content` being the names of both; all its numbers are 64 bits of an integer or
    a double."""
    if state.limited:  # whose results are those of its own kernels
        raise ValueError("an answer calls no library")
    library, _, name = call.content.decode().partition(" ")
    module = _library(library)
    functions: Mapping[str, Function] = module.CALLS
    if state.sticky:
        return Reply(numbers=(_DONE, module.EXECUTION_FAILED, 0))
    numbers = [number - (1 << 64) if number >> 63 else number for number in call.numbers]
    made = LibraryCall(state, name, place)

    def steps(made: LibraryCall) -> StatusSteps:  # so that whatever a function raises comes from its steps
        outcome = functions[name](made, *numbers)
        return (yield from outcome) if isinstance(outcome, Generator) else outcome

    state.library = _Running(made, steps, steps(made), module.EXECUTION_FAILED, [])
    return _go_on(state, None)


def go_on(state: State, call: Call, place: Place) -> Reply:
    """The program has done what the latest reply says; `content` is what it has read."""
    state.library.read.append(call.content)
    return _go_on(state, call.content)


def _go_on(state: State, content: bytes | None) -> Reply:
    running: _Running = state.library
    call, status = running.call, running.failed
    try:
        step = next(running.steps) if content is None else running.steps.send(content)
        if isinstance(step, Read):
            return Reply(numbers=(_READ, *step))
        return Reply(numbers=(_WRITE, step.address, len(step.content)), content=step.content)
    except StopIteration as end:
        status = end.value or 0
    except RefusedError as refused:
        status = refused.status
        _find_refused(call, refused)
    except LaterError as later:
        running.capture(later.stream)
        status = 0
    except FailedError:
        state.find(HostKind.INVALID_ARGUMENT, call.place, function=call.name, argument="stream", why="stream")
    return Reply(numbers=(_DONE, status, running.failed))


def _find_refused(call: LibraryCall, refused: RefusedError) -> None:
    call.state.find(HostKind.INVALID_ARGUMENT, call.place, (), **{"function": call.name, **refused.facts})


#: Of cuBLAS, copies between the host and the GPU.
_COPIES = [
    f"cublas{way}{what}{when}" for way in ("Get", "Set") for what in ("Vector", "Matrix") for when in ("", "Async")
]
CALLS: dict[str, Answer] = {"library": begin, "library goes on": go_on, **dict.fromkeys(_COPIES, copy_rows)}
