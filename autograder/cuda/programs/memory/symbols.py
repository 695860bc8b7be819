"""The calls that copy to and from a program's variables on the GPU."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...compiler.module_info import qualified
from ...compiler.toolchain import Module
from ...core.findings import Finding, UninitializedRead
from ...core.host_findings import NOWHERE, HostKind, Place
from ...errors import UsageError
from ...report.vocabulary import element_of
from ..launches.kernels import KernelText
from ..state import FailedError, State, Symbol
from ..wire import Call, Guard, Reply
from .access_spans import Uses, changes, joined
from .copies import copy_with_variable
from .guards import OPEN
from .heap import Allocation, in_heap, pages
from .initialized import Filled
from .memory_writes import arriving


def register_symbol(state: State, call: Call, place: Place) -> Reply:
    address, size, _ = call.numbers
    unit, _, mangled = call.content.decode().partition(" ")
    symbol = state.symbols[address] = Symbol(state.kernels.variable(unit, mangled), qualified(mangled), size)
    if not in_heap(address):
        return Reply()
    # The linker has placed it there (`managed`), since it is __managed__.
    memory = _there(symbol, state.heap.place(address, size, "managed", symbol.name))
    symbol.memory = dict.fromkeys(range(len(state.devices)), memory)
    state.heap.view(memory)[:] = np.frombuffer(state.kernels.declared(*symbol.key), np.uint8)
    return Reply(guards=[Guard(address, pages(size), OPEN)])


def to_symbol(state: State, call: Call, place: Place) -> Reply:
    symbol, source, size, offset, kind, stream = call.numbers
    _check_use(state, call.name, place, symbol, size, offset, stream)
    copy_with_variable(state, call, place, source, size, kind, stream, writes=False)
    if size and not state.limited:
        _note_copy(state, call.name, place, state.symbols[symbol], offset, offset + size)
    return Reply()


def _note_copy(state: State, function: str, place: Place, symbol: Symbol, start: int, end: int) -> None:
    """Note that a call is about to copy to these bytes of a variable."""
    known = state.here.copied.get(symbol.key)
    is_first = symbol.key not in state.here.copied
    if is_first and (state.device in symbol.memory or any(content(state, symbol))):
        state.here.copied[symbol.key] = None  # a kernel may have written to it; or it is declared with a value
    elif known or is_first:
        begin = known.bytes if known else 0
        filled = Filled(function, place, max(begin, end), True)
        state.here.copied[symbol.key] = filled if start <= begin else None


def held(state: State, holder: str) -> dict[str, int]:
    """Return how many bytes hold values of those variables of a holder of code to whose beginning alone something was
    ever written."""
    return {name: filled.bytes for (of, name), filled in state.here.copied.items() if of == holder and filled}


def forget_held(state: State, kernel: KernelText) -> None:
    """From now on, the variables that a kernel uses, but for constants, may have been written to by it."""
    assert isinstance(kernel.compiled, Module)
    for array in kernel.compiled.info.arrays:
        if array.space == "device":
            state.here.copied[state.kernels.holder(kernel.unit), array.symbol] = None


def find_partly_copied(state: State, kernel: KernelText, held: Mapping[str, int], finding: Finding) -> bool:
    """Find the call that has copied only a part of a variable of which a kernel reads more, by a finding in a launch
    with these variables `held`; False if that is about something else."""
    if not isinstance(finding, UninitializedRead) or not isinstance(kernel.compiled, Module):
        return False
    access = finding.accesses[0]
    arrays = (array for array in kernel.compiled.info.arrays if array.symbol in held)
    read = next((array for array in arrays if (array.space, array.name) == (access.space, access.array)), None)
    filled = state.here.copied[state.kernels.holder(kernel.unit), read.symbol] if read else None
    if not read or not filled:
        return False
    state.find(
        HostKind.PARTLY_COPIED,
        filled.place,
        [("reads", Place(*kernel.gathered.lines[access.line - 1], access.text))],
        function=filled.function,
        bytes=filled.bytes,
        size=read.bytes,
        name=read.name,
        kernel=kernel.name,
        element=element_of(access),
        more=finding.count - 1,
    )
    return True


def fill_symbol(state: State, call: Call, place: Place) -> Reply:
    address, offset = call.numbers
    symbol = state.symbols[address]
    old = content(state, symbol)
    if offset + len(call.content) > len(old):
        raise ValueError("more than a variable holds")
    new = old[:offset] + call.content + old[offset + len(call.content) :]
    if memory := symbol.memory.get(state.device):
        state.heap.view(memory)[:] = np.frombuffer(new, np.uint8)
    else:
        state.here.variables[symbol.key] = new
    return Reply()


def from_symbol(state: State, call: Call, place: Place) -> Reply:
    to, address, size, offset, kind, stream = call.numbers
    _check_use(state, call.name, place, address, size, offset, stream)
    copy_with_variable(state, call, place, to, size, kind, stream, writes=True)
    state.timeline.synchronize(state.timeline.of_stream(stream))
    symbol = state.symbols[address]
    return Reply(content=content(state, symbol)[offset : offset + size])


def symbol_address(state: State, call: Call, place: Place) -> Reply:
    """Where a variable is. From now on it lies in the heap."""
    symbol = state.symbol(call.numbers[0])
    state.here.copied[symbol.key] = None
    if state.device not in symbol.memory:
        held = content(state, symbol)
        made = state.heap.allocate(symbol.size, "device", NOWHERE, "", symbol.name)
        symbol.memory[state.device] = _there(symbol, made)
        state.heap.view(symbol.memory[state.device])[:] = np.frombuffer(held, np.uint8)
    return Reply(numbers=(symbol.memory[state.device].address,))


def _there(symbol: Symbol, memory: Allocation | None) -> Allocation:
    if memory is None:
        raise UsageError(
            f"The variable {symbol.name} takes {symbol.size:,} bytes, and the emulated GPU has no room for it."
        )
    memory.written = memory.is_variable = True
    return memory


def content(state: State, symbol: Symbol) -> bytes:
    """Return what a variable holds."""
    if memory := symbol.memory.get(state.device):
        return state.heap.view(memory).tobytes()
    if symbol.key not in state.here.variables:
        state.here.variables[symbol.key] = state.kernels.declared(*symbol.key)
    return state.here.variables[symbol.key]


def contents(state: State, holder: str) -> dict[str, bytes]:
    """Return what the variables of a holder of code hold, but for those that hold what is declared."""
    known = {name: held for (of, name), held in state.here.variables.items() if of == holder}
    in_heap = {name: state.heap.view(memory).tobytes() for name, memory in _in_heap(state, holder).items()}
    return known | in_heap


def keep(state: State, holder: str, before: Mapping[str, bytes], left: Mapping[str, bytes]) -> Uses:
    """Keep what a launch has left in the variables of a holder of code, and tell what it has changed of those in the
    heap."""
    changed = []
    in_heap = _in_heap(state, holder)
    for name, held in left.items():
        memory = in_heap.get(name)
        known = before[name] if name in before else state.kernels.declared(holder, name) if state.suppressed else held
        old, new = np.frombuffer(known, np.uint8), np.frombuffer(held, np.uint8)
        item = 4 if not old.size % 4 else 1  # integers, of which some bytes may stay as they are
        written = np.repeat((new != old).reshape(-1, item).any(axis=1), item)
        now = arriving(old, new, written, item, state.suppressed, len(state.launches))
        if state.delivered:
            state.delivered.add(f"{memory.address:016x}" if memory else f"{holder}:{name}", now, written)
        if memory:
            # By its address, the launch may have changed other bytes.
            np.copyto(state.heap.view(memory), now, where=written)
            changed.append(changes(memory.address, old, new))
        else:
            state.here.variables[holder, name] = now.tobytes()
    return joined(changed)


def _in_heap(state: State, holder: str) -> dict[str, Allocation]:
    mine = [symbol for symbol in state.symbols.values() if symbol.key[0] == holder and state.device in symbol.memory]
    return {symbol.key[1]: symbol.memory[state.device] for symbol in mine}


def symbol_size(state: State, call: Call, place: Place) -> Reply:
    return Reply(numbers=(state.symbol(call.numbers[0]).size,))


def _check_use(state: State, function: str, place: Place, address: int, size: int, offset: int, stream: int) -> None:
    symbol = state.symbol(address)
    state.require(stream)
    if offset + size > symbol.size:
        state.find(
            HostKind.COPY_OUT_OF_BOUNDS,
            place,
            function=function,
            bytes=size,
            why="known",
            verb="writes" if "To" in function else "reads",
            name=symbol.name,
            size=symbol.size,
            offset=offset,
        )
        raise FailedError("cudaErrorInvalidValue")


CALLS = {
    "register symbol": register_symbol,
    **dict.fromkeys(("cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"), to_symbol),
    "fill symbol": fill_symbol,
    **dict.fromkeys(("cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"), from_symbol),
    "cudaGetSymbolSize": symbol_size,
    "cudaGetSymbolAddress": symbol_address,
}
