"""The calls that copy and fill memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.host_findings import HostKind, Place
from ...errors import UsageError
from ..state import FailedError, State, fail
from ..timeline import CALLS_BACK, Clock, is_default
from ..wire import Call, Reply
from .access_spans import Spans, uses
from .heap import Allocation, in_heap
from .initialized import Filled, with_copy, with_spans
from .memory import add_operation, find_use

TO_HOST, TO_GPU, HOST_TO_HOST, ON_GPU = 2, 1, 0, 3
_KINDS = {TO_GPU: "cudaMemcpyHostToDevice", TO_HOST: "cudaMemcpyDeviceToHost", ON_GPU: "cudaMemcpyDeviceToDevice"}
_KINDS |= {HOST_TO_HOST: "cudaMemcpyHostToHost"}
#: By the kind of a copy, whether its destination is the GPU's memory, and its source.
_ON_GPU = {TO_GPU: (True, False), TO_HOST: (False, True), ON_GPU: (True, True), HOST_TO_HOST: (False, False)}
#: Of cudaMemcpyPeer, which has no direction.
_BETWEEN = 5
_ON_GPU[_BETWEEN] = _ON_GPU[ON_GPU]
#: Most rows of a copy that lie apart, each of which we keep.
_MOST_ROWS = 1 << 20


def copy(state: State, call: Call, place: Place) -> Reply:
    to, source, size, kind, *stream = call.numbers
    return _copy(state, call.name, place, (to, size, 1, size), (source, size, 1, size), kind, stream)


def copy_rows(state: State, call: Call, place: Place) -> Reply:
    to, to_pitch, source, pitch, width, height, kind, *stream = call.numbers
    if width > to_pitch or width > pitch:
        return fail("cudaErrorInvalidPitchValue")
    return _copy(state, call.name, place, (to, width, height, to_pitch), (source, width, height, pitch), kind, stream)


def copy_between(state: State, call: Call, place: Place) -> Reply:
    """A copy to the memory of a GPU from that of another."""
    to, to_device, source, source_device, size, *stream = call.numbers
    for address, device, side in ((to, to_device, "to"), (source, source_device, "from")):
        state.require_device(device)
        known = state.heap.find(address) if in_heap(address) else None
        if known and known.is_live and known.sort == "device" and known.device != device:
            others = [("allocates", known.place)]
            facts = {"side": side, "name": known.name, "function": call.name, "why": "device"}
            state.find(HostKind.WRONG_DIRECTION, place, others, owner=known.device, given=device, **facts)
            return fail("cudaErrorInvalidValue")
    return _copy(state, call.name, place, (to, size, 1, size), (source, size, 1, size), _BETWEEN, stream)


#: An address, the bytes of a row, how many rows, and the bytes from one row to the next.
_Rows = tuple[int, int, int, int]


def _copy(state: State, function: str, place: Place, to: _Rows, source: _Rows, kind: int, stream: list[int]) -> Reply:
    if not to[1] * to[2]:
        return Reply()
    if stream:
        state.require(stream[0])
    sides = _ON_GPU.get(kind, (in_heap(to[0]), in_heap(source[0])))
    used: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    of_gpu: list[tuple[int, int]] = []
    for rows, writes, expected in zip((to, source), (True, False), sides, strict=True):
        if not (rows[0] or expected) or not _is_right(state, function, place, rows, expected, kind, writes):
            return fail("cudaErrorInvalidValue")
        if known := state.heap.find(rows[0]) if in_heap(rows[0]) else None:
            used[writes] += _ranges(rows)
            of_gpu += used[writes] if known.sort != "pinned" else ()
    made = uses(reads=used[False], writes=used[True])
    _write(state, function, place, made.writes, to, source)
    # Memory that is not pinned is copied by way of the driver's own: it can be used again at once. The same holds
    # for a copy to it, since that needs the host.
    pageable = not (in_heap(to[0]) and in_heap(source[0]))
    travels = to[1] * to[2] if kind in (TO_GPU, TO_HOST) or pageable or _is_pinned(state, to, source) else 0
    if travels:
        state.timeline.travel(travels, uses(writes=of_gpu))
    # NVIDIA's "API synchronization behavior": the host waits for a copy within its memory, whatever the function, and
    # cudaMemcpy for any with a side there. (Of one from pageable memory, NVIDIA leaves open whether all has arrived.)
    of_host = [_is_hosts(state, rows) for rows in (to, source)]
    alone = 0 if pageable or not stream or all(of_host) else travels
    in_stream = stream[0] if stream else state.default
    waits = not in_heap(to[0]) or all(of_host)
    waits = waits or (not stream and (any(of_host) or not (sides[0] and sides[1])))
    waits = waits and not state.timeline.is_of_gpu(in_stream)  # for which the host never waits by launching it
    between = _devices(state, to, source) if is_default(in_stream) else set()
    for device in between:
        state.timeline.wait(in_stream, state.timeline.of_device(device))
    operation = add_operation(state, in_stream, "copies", place, made, copies=alone, waits=waits)
    for device in between:
        state.timeline.let_device_wait(device, operation.clock)
    if not in_heap(state.on_gpu(source[0])):
        _read_pageable(state, place, source, state.timeline.host if stream else operation.clock)
    if waits:
        state.timeline.synchronize(operation.clock)
    return Reply()


def _devices(state: State, to: _Rows, source: _Rows) -> set[int]:
    """Return the GPUs of a copy between two: in the default stream, it begins after all work of both, and all that
    follows begins after it (CUDA Programming Guide, "Peer-to-Peer Memory Copy")."""
    known = [state.heap.find(rows[0]) for rows in (to, source) if in_heap(rows[0])]
    found = {memory.device for memory in known if memory and memory.sort == "device"}
    return found if len(found) > 1 else set()


def _read_pageable(state: State, place: Place, source: _Rows, known: Clock) -> None:
    """Find the functions called by streams that write what a copy reads, and may not have run by then: the driver may
    read pageable memory at once, before what is in the stream."""
    called = [other for other in state.timeline.in_flight if other.what == CALLS_BACK and not other.before(known)]
    read = uses(reads=_ranges(source)) if called else None
    for other in called:
        if read and other.uses.conflict(read):
            state.find(HostKind.UNSYNCHRONIZED, place, other.lines(CALLS_BACK), name="", verb="reads", why="pageable")


def _write(state: State, function: str, place: Place, spans: Spans, to: _Rows, source: _Rows | None = None) -> None:
    """Note that a call writes these bytes of the GPU's memory: a copy of what was unwritten leaves that so."""
    known = state.heap.find(to[0]) if in_heap(to[0]) else None
    if not known:
        return
    other = state.heap.find(source[0]) if source and in_heap(source[0]) else None
    known.filled = None
    if source and other and other.written is not True:
        start, from_, rows = to[0] - known.address, source[0] - other.address, (*to[1:], source[3])
        known.written = with_copy(known.written, known.size, start, other.written, other.size, from_, rows)
        return
    if known.written is False:
        size = to[1] * to[2]
        known.filled = Filled(function, place, size, bool(spans[0, 1] - known.address == size))
    known.written = with_spans(known.written, known.address, known.size, spans)


def copy_with_variable(
    state: State, call: Call, place: Place, address: int, size: int, kind: int, stream: int, *, writes: bool
) -> None:
    """The other side of a copy to or from a variable on the GPU: `size` bytes at `address`, which the copy reads, or
    `writes`."""
    expected = _ON_GPU.get(kind, (in_heap(address), in_heap(address)))[0 if writes else 1]
    if not _is_right(state, call.name, place, (address, size, 1, size), expected, kind, writes):
        raise FailedError("cudaErrorInvalidValue")
    if in_heap(address) and size:
        there = [(address, address + size)]
        used = uses(writes=there) if writes else uses(reads=there)
        waits = not call.name.endswith("Async")
        operation = add_operation(state, stream, "copies", place, used, waits=waits)
        if writes:
            _write(state, call.name, place, used.writes, (address, size, 1, size))
        if waits:
            state.timeline.synchronize(operation.clock)


def _is_right(state: State, function: str, place: Place, rows: _Rows, expected: bool, kind: int, writes: bool) -> bool:
    """Return whether one side of a copy is where its direction says, and inside what is allocated there."""
    known = state.heap.find(rows[0]) if in_heap(rows[0]) else None
    if not _fits_direction(state, function, place, rows[0], known, expected, kind, writes):
        return False
    return not in_heap(rows[0]) or _is_inside(state, function, place, rows, known, writes)


def host_block_ends(state: State, call: Call, place: Place) -> Reply:
    """A copy goes on where a block of the host's own memory, which only the program knows, has ended."""
    room, size, writes = call.numbers
    function, verb = call.content.decode(), "writes" if writes else "reads"
    if not re.fullmatch(r"cu\w{1,40}", function):
        raise ValueError("no function of the runtime's")
    state.find(HostKind.COPY_OUT_OF_BOUNDS, place, function=function, bytes=size, room=room, why="host", verb=verb)
    return fail("cudaErrorInvalidValue")


def _is_pinned(state: State, *sides: _Rows) -> bool:
    """Return whether one of them is the host's memory, pinned or managed."""
    return any(known.sort != "device" for rows in sides if (known := state.heap.find(rows[0])))


def _is_hosts(state: State, rows: _Rows) -> bool:
    """Return whether it is the host's memory, pageable or pinned."""
    known = state.heap.find(rows[0]) if in_heap(rows[0]) else None
    return not known or known.sort == "pinned"


def _ranges(rows: _Rows) -> Iterator[tuple[int, int]]:
    address, width, height, pitch = rows
    if width == pitch:
        width, height = width * height, 1
    if height > _MOST_ROWS:
        raise UsageError(f"The emulator copies and fills at most {_MOST_ROWS:,} rows at once, and not {height:,}.")
    for row in range(height):
        yield address + row * pitch, address + row * pitch + width


def _fits_direction(
    state: State,
    function: str,
    place: Place,
    address: int,
    known: Allocation | None,
    expected: bool,
    kind: int,
    writes: bool,
) -> bool:
    """Return whether memory is where the copy's direction says. (Pinned and managed memory is in both places.)"""
    here = in_heap(address)
    if here == expected or (known and known.sort != "device"):
        return True
    others = [("allocates", known.place)] if known else []
    facts = {"side": "to" if writes else "from", "name": known.name if known else "", "function": function}
    if symbol := state.symbols.get(address):
        facts["variable"] = symbol.name
    state.find(
        HostKind.WRONG_DIRECTION,
        place,
        others,
        why="host" if expected else "gpu",
        direction=_KINDS.get(kind, ""),
        **facts,
    )
    return False


def _is_inside(state: State, function: str, place: Place, rows: _Rows, known: Allocation | None, writes: bool) -> bool:
    address, width, height, pitch = rows
    size = (height - 1) * pitch + width
    if known and known.is_heap:  # the host may not copy there
        known = None
    if known and not known.is_live:
        find_use(state, place, known, name=known.name, function=function, why="call")
        return False
    if known and address + size <= known.end:
        return True
    others = [("allocates", known.place)] if known else []
    facts: dict[str, str | int] = {}
    if known:
        facts = {"name": known.name, "size": known.size, "offset": address - known.address}
    state.find(
        HostKind.COPY_OUT_OF_BOUNDS,
        place,
        others,
        function=function,
        bytes=size,
        why="known" if known else "unknown",
        verb="writes" if writes else "reads",
        **facts,
    )
    return False


def fill(state: State, call: Call, place: Place) -> Reply:
    address, _, size, *stream = call.numbers
    return _fill(state, call.name, place, (address, size, 1, size), stream)


def fill_rows(state: State, call: Call, place: Place) -> Reply:
    address, pitch, _, width, height, *stream = call.numbers
    if width > pitch:
        return fail("cudaErrorInvalidPitchValue")
    return _fill(state, call.name, place, (address, width, height, pitch), stream)


def _fill(state: State, function: str, place: Place, rows: _Rows, stream: list[int]) -> Reply:
    if not rows[1] * rows[2]:
        return Reply()
    if stream:
        state.require(stream[0])
    known = state.heap.find(rows[0]) if in_heap(rows[0]) else None
    if not in_heap(rows[0]):
        if rows[0]:
            state.find(HostKind.WRONG_DIRECTION, place, why="host", direction="", side="to", name="", function=function)
        return fail("cudaErrorInvalidValue")
    if not _is_inside(state, function, place, rows, known, True):
        return fail("cudaErrorInvalidValue")
    assert known
    made = uses(writes=_ranges(rows))
    _write(state, function, place, made.writes, rows)
    # NVIDIA's "API synchronization behavior": on pinned and managed memory, a fill that names no stream is synchronous.
    waits = not stream and known.sort != "device"
    operation = add_operation(state, stream[0] if stream else state.default, "fills", place, made, waits=waits)
    if waits:
        state.timeline.synchronize(operation.clock)
    return Reply()


CALLS = {
    **dict.fromkeys(("cudaMemcpy", "cudaMemcpyAsync"), copy),
    **dict.fromkeys(("cudaMemcpyPeer", "cudaMemcpyPeerAsync"), copy_between),
    **dict.fromkeys(("cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMemcpy3D"), copy_rows),
    **dict.fromkeys(("cudaMemcpyToArray", "cudaMemcpyFromArray"), copy_rows),
    **dict.fromkeys(("cudaMemcpy2DToArray", "cudaMemcpy2DFromArray"), copy_rows),
    **dict.fromkeys(("cudaMemset", "cudaMemsetAsync"), fill),
    "host block ends": host_block_ends,
    "cudaMemset2D": fill_rows,
}
