"""The variables of a text that no single thread owns: which they are, where, and how large they may be;
and as findings name them, by the debug information in LLVM IR."""

from __future__ import annotations

from math import prod

from ..core.findings import Finding, Space
from ..report.compile_errors import too_much_memory
from . import messages
from .ir import Global, Module
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


def is_of_kernel(symbol: str, kernel: str) -> bool:
    """Whether the kernel `kernel` itself, a symbol as "@_Z4blurPf", declares the variable `symbol`."""
    name = kernel.removeprefix("@").partition(".")[0]  # (after a dot comes the number of a file that is linked)
    encoding = name.removeprefix("_Z") if name.startswith("_Z") else f"{len(name)}{name}"
    return symbol.startswith("_ZZ") and symbol.lstrip("_Z").startswith(f"{encoding}E")


def find_too_much_memory(ir: Module, source: str, kernel: str) -> Finding | None:
    """The finding that the text's variables are too large. Linkers do not get so far as to say so."""
    layout = Layout(ir)
    taken = dict.fromkeys(_LIMITS, 0)
    for variable in filter(is_array, ir.globals.values()):
        if variable.name == "@emu_dynamic":  # ours
            continue
        space = space_of(variable)
        if space != "shared" or is_of_kernel(variable.name[1:], kernel):
            taken[space] += layout.size(variable.type)
    for space, limit in _LIMITS.items():
        if taken[space] > limit:
            return messages.too_large(source, f"__{space}__", too_much_memory(space, taken[space], limit))
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


def static_shared(arrays: Arrays, kernel: str) -> int:
    """The bytes of the shared memory that the kernel itself declares."""
    return sum(a.bytes for symbol, a in arrays.items() if a.space == "shared" and is_of_kernel(symbol, kernel))
