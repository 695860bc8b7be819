"""Makes the arrays that a thread declares for itself observable.

The compiler knows where such an array begins and ends, but the runtime doesn't. So each array gets a margin
on both sides, a call at its declaration (from there on it is uninitialized), and a call where its function
returns. Passing the array to a call also keeps its accesses visible to ThreadSanitizer's pass.

Arrays of structs stay as they are: the padding between a struct's members is uninitialized but copied all the same.
A fragment of a matrix (`mma.h`) has no padding, and counts as one element. So does a number or pointer whose address is
taken and that is declared without a value: others may set it, or not (`unset_variables.py` has the rest).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from ..ir import (
    Alloca,
    Block,
    DebugRecord,
    Function,
    Global,
    Instruction,
    Module,
    Store,
    array_of,
    field,
    read_instruction,
    string_constant,
)
from ..verifier.layout import Layout
from .cells import SCALARS, is_fill, private_variables

_FRAGMENT = '%"class.nvcuda::wmma::fragment'
#: Most local memory per thread, in bytes (CUDA C++ Programming Guide, "Technical Specifications per Compute
#: Capability").
MAX_LOCAL = 512 * 1024
#: Bytes before and after an array that nothing may touch; a multiple of every alignment.
MARGIN = 64
_DECLARATIONS = {
    "@emu_local_begin": "declare void @emu_local_begin(ptr, i64, ptr)",
    "@emu_local_end": "declare void @emu_local_end(ptr, i64)",
}


class LocalArrayTooLargeError(Exception):
    """No thread can have an array this large: `name`, of `bytes` bytes."""

    def __init__(self, name: str, bytes_: int) -> None:
        super().__init__(name, bytes_)
        self.name, self.bytes = name, bytes_


@dataclass(frozen=True)
class _Array:
    name: str  # in the source
    align: int
    shape: tuple[int, ...]
    item: int  # bytes of one element

    @property
    def bytes(self) -> int:
        return self.item * prod(self.shape)


def watch_local_arrays(module: Module) -> None:
    """Give each local array of numbers or pointers its margins and calls.

    Raises:
        LocalArrayTooLargeError: no GPU has room for one of them.
    """
    descriptions: list[Global] = []
    for function in module.functions.values():
        # We don't observe the prelude's own functions, nor what they do with their variables.
        if module.has_attribute(function, "sanitize_thread") and (arrays := _arrays(function, module)):
            for block in function.blocks:
                block.instructions = list(_watched(block, arrays, descriptions))
    if descriptions:
        module.items += [*descriptions, ""]
        module.declare(_DECLARATIONS)


def _arrays(function: Function, module: Module) -> dict[str, _Array]:
    """Local arrays and fragments by their names in the IR. Those without a name in the source stay."""
    names = {
        record.pointer.value: field(module.metadata[record.variable], "name")
        for record in function.instructions()
        if isinstance(record, DebugRecord)
    }
    out = {}
    unset = {instr.pointer.value for instr in function.instructions() if is_fill(instr) and isinstance(instr, Store)}
    lent = unset - private_variables(function).keys() if unset else unset
    for alloca in function.instructions():
        if isinstance(alloca, Alloca) and names.get(alloca.result):
            shape, element = array_of(alloca.type)
            if (shape or alloca.result in lent) and element in SCALARS:
                out[alloca.result] = _Array(names[alloca.result], alloca.align, shape, SCALARS[element])
            elif element.startswith(_FRAGMENT):
                item = Layout(module).size(element)
                out[alloca.result] = _Array(names[alloca.result], alloca.align, shape, item)
    for array in out.values():
        if array.bytes > MAX_LOCAL:
            raise LocalArrayTooLargeError(array.name, array.bytes)
    return out


def _watched(block: Block, arrays: Mapping[str, _Array], descriptions: list[Global]) -> Iterator[Instruction]:
    begin: Instruction | None = None
    for instruction in block.instructions:
        if begin and not instruction.attachment("annotation"):  # after the compiler's own fill, which doesn't count
            yield begin
            begin = None
        if isinstance(instruction, Alloca) and instruction.result in arrays:
            yield from _with_margins(instruction.result, arrays[instruction.result])
            continue
        if instruction.opcode == "ret":
            for at, array in arrays.items():
                yield read_instruction(f"  call void @emu_local_end(ptr {at}, i64 {array.bytes}){instruction.line}")
        yield instruction
        if isinstance(instruction, DebugRecord) and instruction.pointer.value in arrays:
            at = instruction.pointer.value
            description = _description(arrays[at], f"@emu.local.{len(descriptions)}")
            descriptions.append(description)
            begin = read_instruction(
                f"  call void @emu_local_begin(ptr {at}, i64 {arrays[at].bytes}, ptr {description.name}), "
                f"!dbg {instruction.location}"
            )


def _description(array: _Array, symbol: str) -> Global:
    """Return the array's description for the runtime: "name:extents:bytes of an element". A single fragment has no
    extents."""
    text = f"{array.name}:{','.join(map(str, array.shape))}:{array.item}"
    return Global(symbol, "private ", "constant", *string_constant(text), [])


def _with_margins(at: str, array: _Array) -> Iterator[Instruction]:
    whole = f"%emu.whole.{at[1:]}" if at[1:].isdigit() else f"{at}.whole"
    yield read_instruction(f"  {whole} = alloca [{array.bytes + 2 * MARGIN} x i8], align {max(array.align, 16)}")
    yield read_instruction(f"  {at} = getelementptr i8, ptr {whole}, i64 {MARGIN}")
