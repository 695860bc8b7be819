"""Describes a WebAssembly module's arrays: their types from the debug information in the IR, their places from what the
linked module exports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..ir import Module
from ..ir.metadata import field, node_elements
from ..module_info import ArrayInfo, DynamicArray, ModuleInfo, qualified
from ..variables import is_array, is_of_kernel, space_of
from .binary import KERNEL_BASE, exported_globals

#: A module's arrays by symbol, without their places.
Variables = dict[str, ArrayInfo]
#: Bytes around each array that belong to none.
GAP = 1024
#: What an array with the gap around it is called, behind its own name.
PADDED = ".padded"
#: Of the buffer for dynamic shared memory, which is larger than any GPU's.
_DYNAMIC = 232448
#: By DW_ATE_...: numpy's kinds.
_NUMBERS = {"boolean": "b", "float": "f", "signed": "i", "signed_char": "i", "unsigned": "u", "unsigned_char": "u"}


def read_arrays(module: Module, dynamic: DynamicArray) -> Variables:
    """The module's arrays, before `retarget.retarget`; `dynamic` as for `module_reader.read_module`."""
    found: Variables = {}
    for variable in filter(is_array, module.globals.values()):
        if variable.name == "@emu_dynamic":
            found["emu_dynamic"] = ArrayInfo(
                dynamic.name, 0, 0, (), dynamic.item, "shared", dynamic=True, dtype=dynamic.dtype
            )
            continue
        about = module.metadata[field(module.metadata[variable.debug], "var")]
        kind = field(about, "type")
        shape, item, dtype = _extent(module, kind)
        bytes_ = item
        for n in shape:
            bytes_ *= n
        found[variable.name[1:]] = ArrayInfo(
            field(about, "name"),
            0,
            bytes_,
            shape,
            item,
            space_of(variable),
            dtype=dtype,
            const=_is_const(module, kind),
            symbol=qualified(variable.name[1:]),
        )
    return found


def describe_module(
    linked: bytes, arrays: Variables, lines: Sequence[int], calls: tuple[str, ...], kernel: str
) -> ModuleInfo:
    """Describe a linked module."""
    places = exported_globals(linked)
    placed = {symbol: replace(array, start=places[symbol + PADDED] + GAP) for symbol, array in arrays.items()}
    data = min(a.start for a in placed.values()) - GAP, max(a.start + a.bytes for a in placed.values()) + _DYNAMIC
    static_shared = sum(a.bytes for s, a in placed.items() if a.space == "shared" and is_of_kernel(s, kernel))
    return ModuleInfo(
        tuple(sorted(placed.values(), key=lambda array: array.start)),
        tuple(enumerate(lines)),
        data,
        (KERNEL_BASE, data[0]),
        places["__heap_base"],
        static_shared,
        calls,
    )


def _extent(module: Module, kind: str) -> tuple[tuple[int, ...], int, str]:
    """A type's extents (empty: not an array), the bytes of one element, and its dtype (see `ArrayInfo`)."""
    node = module.metadata.get(kind, "")
    while re.search(r"tag: DW_TAG_(typedef|const_type|volatile_type)", node):
        kind = field(node, "baseType")
        node = module.metadata.get(kind, "")
    if "tag: DW_TAG_array_type" not in node:
        return (), int(field(node, "size") or 64) // 8, _dtype(node)
    ranges = node_elements(module.metadata[field(node, "elements")])
    shape = tuple(int(field(module.metadata[r], "count")) for r in ranges)
    inner, item, dtype = _extent(module, field(node, "baseType"))
    return (*shape, *inner), item, dtype


def _is_const(module: Module, kind: str) -> bool:
    node = module.metadata.get(kind, "")
    while re.search(r"tag: DW_TAG_(typedef|volatile_type|array_type)", node):
        node = module.metadata.get(field(node, "baseType"), "")
    return "tag: DW_TAG_const_type" in node


def _dtype(node: str) -> str:
    if field(node, "name") == "__half":
        return "<f2"
    size = int(field(node, "size") or 0) // 8
    letter = _NUMBERS.get(field(node, "encoding").removeprefix("DW_ATE_"))
    return f"{'|' if size == 1 else '<'}{letter}{size}" if letter and size <= 8 else ""
