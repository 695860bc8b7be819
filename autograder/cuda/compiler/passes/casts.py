"""Aligns every number in an array of another type as its own type requires.

If a kernel reads or writes a number in an array of smaller elements, the compiler only knows the alignment of those
elements, but the hardware requires the number's own. The runtime checks each access against the alignment in the IR.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import AddressStep, Function, Instruction, Load, Module, Store, array_of, pointed_type, read_instruction

_SIZES = {"i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}


def align_casts(module: Module) -> None:
    for function in module.functions.values():
        _align_casts(function)


def is_number(type_: str) -> bool:
    """Return whether a type is an integer or floating-point type."""
    return type_ in ("float", "double", "half", "bfloat") or (type_[0] == "i" and type_[1:].isdigit())


def _align_casts(function: Function) -> None:
    steps = (i for i in function.instructions() if isinstance(i, AddressStep))
    among_numbers = {step.result for step in steps if _leads_to_numbers(step.type)}

    def align(access: Instruction) -> Iterable[Instruction]:
        if not isinstance(access, Load | Store) or access.ordering:
            return (access,)
        at, size = access.pointer.value, _SIZES.get(access.type, 0)
        if access.align >= size or not (at in among_numbers or _leads_to_numbers(pointed_type(at))):
            return (access,)
        before, _, after = access.text.rpartition(f", align {access.align}")
        return (read_instruction(f"{before}, align {size}{after}"),)

    function.rewrite(align)


def _leads_to_numbers(type_: str) -> bool:
    return bool(type_) and is_number(array_of(type_)[1])
