"""Stream capture: what is put into a stream that is captured becomes a node of a graph, and does not run. Where a call
is not permitted, it fails by the error that CUDA's documentation names, and makes the capture invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...core.host_findings import Place
from ..memory.copies import ON_GPU
from ..state import Answer, Event, State, fail
from ..timeline import is_default
from ..wire import Call, Reply
from .graph import GLOBAL, RELAXED, THREAD_LOCAL, Capture, Graph, Node, NodeType
from .graph_memory import captured_work, free_work
from .graph_nodes import WorkOf, add_node, copy_work, fill_work, handles_of, host_work, kernel_work, missing

_Numbers = tuple[int, ...]
#: By calls that become nodes: which of their numbers is the stream, what they become, and the node's parameters.
_NODES: dict[str, tuple[int, NodeType, WorkOf, Callable[[_Numbers], _Numbers]]] = {
    "cudaLaunchKernel": (7, NodeType.KERNEL, kernel_work, lambda n: n[:7]),
    "cudaLaunchCooperativeKernel": (7, NodeType.KERNEL, kernel_work, lambda n: n[:7]),
    "cudaMemcpyAsync": (4, NodeType.MEMCPY, copy_work, lambda n: (n[0], n[2], n[1], n[2], n[2], 1, n[3])),
    "cudaMemcpyPeerAsync": (5, NodeType.MEMCPY, copy_work, lambda n: (n[0], n[4], n[2], n[4], n[4], 1, ON_GPU)),
    "cudaMemcpy2DAsync": (7, NodeType.MEMCPY, copy_work, lambda n: n[:7]),
    "cudaMemsetAsync": (3, NodeType.MEMSET, fill_work, lambda n: (n[0], n[2], n[1], 1, n[2], 1)),
    "cudaLaunchHostFunc": (0, NodeType.HOST, host_work, lambda n: n[1:]),
    "cudaMallocAsync": (1, NodeType.MEM_ALLOC, captured_work, lambda n: n[:1]),
    "cudaFreeAsync": (1, NodeType.MEM_FREE, free_work, lambda n: n[:1]),
}
#: By calls that CUDA makes nodes of, too, and we do not: which of their numbers is the stream.
_MISSING = {"cudaMemcpyToSymbolAsync": 5, "cudaMemcpyFromSymbolAsync": 5, "cudaGraphLaunch": 1}
_MISSING |= {"cudaLaunchKernelExC": 7}  # with attributes
#: By calls that are not permitted in a stream that is captured, which of their numbers is the stream.
_NOT_PERMITTED = {"cudaStreamSynchronize": 0, "cudaStreamQuery": 0, "cudaStreamDestroy": 0, "cudaStreamAddCallback": 0}
_NOT_PERMITTED |= {"cudaMemPrefetchAsync": 2, "cudaStreamAttachMemAsync": 0}
_EVENTS = {"cudaEventRecord": 1, "cudaStreamWaitEvent": 0}
_STREAM_AT = {name: at for name, (at, *_) in _NODES.items()} | _MISSING | _NOT_PERMITTED | _EVENTS
#: Of the flags of cudaStreamUpdateCaptureDependencies: the nodes replace those before.
_SET = 1
#: Calls that use the default stream, and let the host wait for it.
_SYNCHRONOUS = ("cudaMemcpy", "cudaMemset")
#: Calls that could disturb a capture: what they do is not seen by it.
_UNSAFE = ("cudaMalloc", "cudaHostAlloc", "cudaFree", "cudaHostRegister", "cudaHostUnregister", "cudaEventQuery")


# ---- captures begin and end


def begin(state: State, call: Call, place: Place) -> Reply:
    stream, mode = call.numbers
    return _begin(state, Capture(state.new_handle(), Graph(), stream, mode, call.thread, {stream: frozenset()}))


def begin_in_graph(state: State, call: Call, place: Place) -> Reply:
    """Begin a capture whose nodes come into an existing graph, after the nodes that the content names."""
    handle, stream, mode = call.numbers
    graph, after = state.graph(handle), handles_of(call.content)
    if not graph.holds(after) or handle in {known.handle for known in state.graphs.captures.values()}:
        return fail("cudaErrorInvalidValue")
    return _begin(state, Capture(handle, graph, stream, mode, call.thread, {stream: frozenset(after)}, is_new=False))


def _begin(state: State, capture: Capture) -> Reply:
    state.require(capture.origin)
    if is_default(capture.origin):
        return fail("cudaErrorStreamCaptureUnsupported")
    if capture.origin in state.graphs.captures:
        return fail("cudaErrorIllegalState")
    state.graphs.graphs[capture.handle] = capture.graph
    state.graphs.captures[capture.origin] = capture
    return Reply()


def exchange_mode(state: State, call: Call, place: Place) -> Reply:
    """Which calls this thread of the host may make while something is captured."""
    (mode,) = call.numbers
    if mode not in (GLOBAL, THREAD_LOCAL, RELAXED):
        return fail("cudaErrorInvalidValue")
    before = state.graphs.modes.get(call.thread, GLOBAL)
    state.graphs.modes[call.thread] = mode
    return Reply(numbers=(before,))


def update_waits(state: State, call: Call, place: Place) -> Reply:
    """Change which nodes the next one of a stream waits for."""
    stream, flags = call.numbers
    capture, after = state.graphs.captures.get(stream), handles_of(call.content)
    if capture is None:
        return fail("cudaErrorIllegalState")
    if flags not in (0, _SET) or not capture.graph.holds(after):
        return fail("cudaErrorInvalidValue")
    capture.streams[stream] = frozenset(after) if flags == _SET else capture.streams[stream] | frozenset(after)
    return Reply()


def end(state: State, call: Call, place: Place) -> Reply:
    (stream,) = call.numbers
    capture = state.graphs.captures.get(stream)
    if capture is None:
        return fail("cudaErrorIllegalState")
    if stream != capture.origin:
        return _invalid("cudaErrorStreamCaptureUnmatched", [capture])
    if capture.mode != RELAXED and capture.thread != call.thread:
        return fail("cudaErrorStreamCaptureWrongThread")
    for captured in capture.streams:
        state.graphs.captures.pop(captured, None)
    capture.has_ended = True
    joined = capture.graph.ancestors(capture.streams[stream])
    if not capture.is_invalid and all(nodes <= joined for nodes in capture.streams.values()):
        return Reply(numbers=(capture.handle,))
    if capture.is_new:
        state.graphs.remove(capture.graph)
    return fail("cudaErrorStreamCaptureInvalidated" if capture.is_invalid else "cudaErrorStreamCaptureUnjoined")


def query(state: State, call: Call, place: Place) -> Reply:
    """Whether a stream is captured: 0 if not, else 1, or 2 if invalid; and, if it is, the capture's number, its graph,
    and the nodes that what comes next waits for."""
    (stream,) = call.numbers
    state.require(stream)
    if is_default(stream) and _of_blocking_streams(state):
        return fail("cudaErrorStreamCaptureImplicit")
    capture = state.graphs.captures.get(stream)
    if capture is None:
        return Reply(numbers=(0,))
    known = (capture.handle, capture.handle, *sorted(capture.streams[stream]))
    return Reply(numbers=(2,) if capture.is_invalid else (1, *known))


# ---- calls meanwhile


def answer(state: State, call: Call, function: Answer) -> Answer:
    """What answers a call that `function` would answer if nothing were captured."""
    if call.name == "cudaStreamWaitEvent":
        return _wait(function)
    if call.name in ("cudaEventSynchronize", "cudaEventQuery"):
        event = state.events.get(call.numbers[0])
        if event and event.captured:
            capture, _ = event.captured
            return _failing("cudaErrorCapturedEvent", [capture])
    captures = {*state.graphs.captures.values()}
    if not captures:
        return function
    if call.name in ("cudaDeviceSynchronize", "cudaDeviceReset"):
        return _failing("cudaErrorStreamCaptureUnsupported", captures)
    at = _STREAM_AT.get(call.name)
    if at is not None and (mine := state.graphs.captures.get(call.numbers[at])):
        if call.name == "cudaStreamDestroy" and call.numbers[at] != mine.origin:
            del state.graphs.captures[call.numbers[at]]  # what it has captured stays
            return function
        return _captured(call.name, mine, call.numbers[at])
    waits = not call.name.endswith("Async")
    is_synchronous = waits and call.name.startswith(_SYNCHRONOUS)
    of_default = is_synchronous or (at is not None and is_default(call.numbers[at]))
    if of_default and (blocked := _of_blocking_streams(state)):
        return _failing("cudaErrorStreamCaptureImplicit", blocked)
    is_unsafe = is_synchronous or (waits and call.name.startswith(_UNSAFE))
    if is_unsafe and (disturbed := [c for c in captures if _may_not_disturb(state, call.thread, c)]):
        return _failing("cudaErrorStreamCaptureUnsupported", disturbed)
    return function


def _may_not_disturb(state: State, thread: int, capture: Capture) -> bool:
    """Return whether calls that could disturb this capture are forbidden in this thread of the host."""
    mode = state.graphs.modes.get(thread, GLOBAL)
    if capture.thread == thread:
        return RELAXED not in (mode, capture.mode)
    return mode == capture.mode == GLOBAL


def _of_blocking_streams(state: State) -> list[Capture]:
    """Return the captures with a stream that the default stream waits for."""
    return [capture for stream, capture in state.graphs.captures.items() if state.timeline.is_blocking(stream)]


def _invalid(error: str, captures: Iterable[Capture]) -> Reply:
    for capture in captures:
        capture.is_invalid = True
    return fail(error)


def _failing(error: str, captures: Iterable[Capture]) -> Answer:
    """Answers a call that makes these captures invalid."""
    return lambda state, call, place: _invalid(error, captures)


def _captured(name: str, capture: Capture, stream: int) -> Answer:
    """Answers a call in a stream that is captured."""
    if capture.is_invalid:
        return _failing("cudaErrorStreamCaptureInvalidated", [])
    if name in _NOT_PERMITTED:
        return _failing("cudaErrorStreamCaptureUnsupported", [capture])
    return lambda state, call, place: _node(state, call, place, capture, stream)


def _node(state: State, call: Call, place: Place, capture: Capture, stream: int) -> Reply:
    """Answers what becomes a node, and what an event remembers."""
    waits = capture.streams[stream]
    if call.name == "cudaEventRecord":
        known = state.event(call.numbers[0])
        state.events[call.numbers[0]] = Event(known.device, known.times, captured=(capture, waits))
        return Reply()
    if call.name in _MISSING:
        raise missing(f"captures {call.name}", place)
    _, type_, work, parameters = _NODES[call.name]
    given = parameters(call.numbers)
    if type_ is NodeType.MEM_ALLOC and not given[0]:  # cudaMallocAsync gives a null pointer for no bytes
        return Reply(numbers=(0,))
    done = work(state, call, place, given, call.content)
    reply = add_node(state, capture.graph, Node(type_, place, sorted(waits), done))
    capture.streams[stream] = frozenset(reply.numbers[:1])
    return Reply(numbers=reply.numbers[1:]) if type_ is NodeType.MEM_ALLOC else reply


def _wait(function: Answer) -> Answer:
    """Answers cudaStreamWaitEvent: a stream that waits for an event of a capture is captured from now on."""

    def wait(state: State, call: Call, place: Place) -> Reply:
        stream, handle = call.numbers
        event, capture = state.event(handle), state.graphs.captures.get(stream)
        state.require(stream)
        if capture and capture.is_invalid:
            return fail("cudaErrorStreamCaptureInvalidated")
        if not event.captured:
            return _invalid("cudaErrorStreamCaptureIsolation", [capture]) if capture else function(state, call, place)
        other, nodes = event.captured
        if other.has_ended:
            return _invalid("cudaErrorInvalidValue", [capture] if capture else [])
        if other.is_invalid:
            return _invalid("cudaErrorStreamCaptureInvalidated", [capture] if capture else [])
        if capture and capture is not other:
            return _invalid("cudaErrorStreamCaptureMerge", [capture, other])
        if is_default(stream):
            return _invalid("cudaErrorStreamCaptureImplicit", [other])
        state.graphs.captures[stream] = other
        other.streams[stream] = other.streams.get(stream, frozenset()) | nodes
        return Reply()

    return wait


CALLS: dict[str, Answer] = {
    "cudaStreamBeginCapture": begin,
    "cudaStreamBeginCaptureToGraph": begin_in_graph,
    "cudaStreamUpdateCaptureDependencies": update_waits,
    "cudaStreamEndCapture": end,
    "cudaThreadExchangeStreamCaptureMode": exchange_mode,
    "cudaStreamIsCapturing": query,
    "cudaStreamGetCaptureInfo": query,
}
