"""The variables of a text that no single thread owns: which they are, where, and how large they may be;
and as findings name them, by the debug information in LLVM IR."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from ..core.diagnostics import Problem
from ..core.findings import Finding, Space
from . import messages
from .ir import Function, Global, Module, symbols
from .kernel_signature import TypeReader
from .module_info import ArrayInfo, DynamicArray, qualified
from .verifier.layout import Layout

#: ptxas rejects more static shared memory than this (CUDA C++ Programming Guide, "Shared Memory").
MAX_STATIC_SHARED = 48 * 1024
#: Most bytes of `__constant__` variables (the same, "Technical Specifications per Compute Capability").
MAX_CONSTANT = 64 * 1024
#: Most bytes of `__device__` variables. The emulator needs about 24 bytes for each.
MAX_DEVICE = 64 << 20
_LIMITS: dict[Space, int] = {"shared": MAX_STATIC_SHARED, "constant": MAX_CONSTANT, "device": MAX_DEVICE}
#: A module's arrays by symbol, without their places.
Arrays = dict[str, ArrayInfo]
#: The symbol of the dynamic shared memory.
DYNAMIC_SYMBOL = "emu_dynamic"


def is_array(variable: Global) -> bool:
    """Whether it may be an array that a finding names: writable, and of the student's text."""
    if variable.name == "@emu_dynamic":
        return True
    if variable.kind != "global" or not variable.value or variable.name in ("@emu_data", "@emu_bss"):
        return False
    return bool(variable.debug)


def space_of(variable: Global) -> Space:
    if variable.section.startswith(".bss.emu_shared"):
        return "shared"
    return "constant" if variable.section.startswith(".emu_constant") else "device"


def memory_of(ir: Module, kernel: str) -> dict[Space, int]:
    """The bytes of the variables in each memory: of shared memory those that the kernel reaches, by functions that it
    calls, too; of the others all."""
    layout, used = Layout(ir), _reached(ir, kernel)
    taken = dict.fromkeys(_LIMITS, 0)
    for variable in filter(is_array, ir.globals.values()):
        space = space_of(variable)
        if variable.name != f"@{DYNAMIC_SYMBOL}" and (space != "shared" or variable.name in used):
            taken[space] += layout.size(variable.type)
    return taken


def _reached(ir: Module, kernel: str) -> set[str]:
    """The functions and variables that the kernel names, itself or by others."""
    items: dict[str, Function | Global] = {**ir.functions, **ir.globals}
    used, fresh = set[str](), {kernel}
    while fresh:
        used |= fresh
        fresh = items.keys() & {symbol for name in fresh for symbol in symbols(items[name].text())} - used
    return used


def find_too_much_memory(taken: Mapping[Space, int], source: str) -> Finding | None:
    """The finding that the text's variables are too large. Linkers do not get so far as to say so."""
    for space, limit in _LIMITS.items():
        if taken[space] > limit:
            return messages.too_large(source, f"__{space}__", Problem.LARGE_SPACE, (space,), (taken[space], limit))
    return None


def read_arrays(module: Module, dynamic: DynamicArray) -> Arrays:
    """The module's arrays.

    Args:
        module: after our passes.
        dynamic: the dynamic shared memory, which the debug information does not describe.
    """
    types = TypeReader(module.metadata)
    found: Arrays = {}
    for variable in filter(is_array, module.globals.values()):
        symbol = variable.name[1:].strip('"')
        if symbol == DYNAMIC_SYMBOL:
            name, item, dtype = dynamic
            found[symbol] = ArrayInfo(name, 0, 0, (), item, "shared", dynamic=True, dtype=dtype)
            continue
        about = types.field(variable.debug, "var")
        kind, words = types.resolved(types.field(about, "type"))
        shape: tuple[int, ...] = ()
        while types.tag(kind) == "array_type":
            shape = (*shape, *types.shape(kind))
            kind, inner = types.resolved(types.field(kind, "baseType"))
            words |= inner
        number, item = types.dtype(kind), types.bytes(kind)
        found[symbol] = ArrayInfo(
            types.field(about, "name"),
            0,
            item * prod(shape),
            shape,
            item,
            space_of(variable),
            dtype="" if number is None or number.names else number.str,
            const="const" in words,
            symbol=qualified(symbol),
        )
    return found
