"""The calls that copy to and from a program's variables on the GPU."""

from __future__ import annotations

from ..compiler.module_info import qualified
from ..core.host_findings import HostKind, Place
from .state import State, Symbol, fail
from .wire import Call, Reply


def register_symbol(state: State, call: Call, place: Place) -> Reply:
    address, size, _ = call.numbers
    unit, _, mangled = call.content.decode().partition(" ")
    state.symbols[address] = Symbol(unit, qualified(mangled), size)
    return Reply()


def to_symbol(state: State, call: Call, place: Place) -> Reply:
    symbol, _, size, offset, _, stream = call.numbers
    return _symbol_use(state, call.name, place, symbol, size, offset, stream) or Reply()


def fill_symbol(state: State, call: Call, place: Place) -> Reply:
    address, offset = call.numbers
    symbol = state.symbols[address]
    old = _content(state, symbol)
    symbol.content = old[:offset] + call.content + old[offset + len(call.content) :]
    return Reply()


def from_symbol(state: State, call: Call, place: Place) -> Reply:
    _, address, size, offset, _, stream = call.numbers
    failed = _symbol_use(state, call.name, place, address, size, offset, stream)
    if failed:
        return failed
    state.timeline.synchronize(state.timeline.of_stream(stream))
    symbol = state.symbols[address]
    content = _content(state, symbol)
    return Reply(content=content[offset : offset + size])


def _content(state: State, symbol: Symbol) -> bytes:
    if symbol.content is None:
        symbol.content = state.kernels.declared(symbol.unit, symbol.name)
    return symbol.content


def symbol_size(state: State, call: Call, place: Place) -> Reply:
    symbol = state.symbols.get(call.numbers[0])
    return Reply(numbers=(symbol.size,)) if symbol else fail("cudaErrorInvalidSymbol")


def _symbol_use(
    state: State, function: str, place: Place, address: int, size: int, offset: int, stream: int
) -> Reply | None:
    symbol = state.symbols.get(address)
    if symbol is None:
        return fail("cudaErrorInvalidSymbol")
    if not state.timeline.knows(stream):
        return fail("cudaErrorInvalidResourceHandle")
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
        return fail("cudaErrorInvalidValue")
    return None


CALLS = {
    "register symbol": register_symbol,
    **dict.fromkeys(("cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"), to_symbol),
    "fill symbol": fill_symbol,
    **dict.fromkeys(("cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"), from_symbol),
    "cudaGetSymbolSize": symbol_size,
}
