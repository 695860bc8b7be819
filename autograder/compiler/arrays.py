"""Describes the variables of a kernel's module that findings name, by the debug information in its LLVM IR."""

from __future__ import annotations

from math import prod

from .ir import Module
from .kernel_signature import TypeReader
from .module_info import ArrayInfo, DynamicArray, qualified
from .variables import is_array, is_of_kernel, space_of

#: A module's arrays by symbol, without their places.
Arrays = dict[str, ArrayInfo]
#: The symbol of the dynamic shared memory.
DYNAMIC_SYMBOL = "emu_dynamic"


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
