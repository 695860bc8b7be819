"""Gives the value that a GPU computes to what C++ leaves undefined: a shift by the width of a number or more, a
floating-point number that no integer holds, a difference of pointers that are no multiple of an element apart. (Clang
folds a shift of constants itself, such as 1 << 33, to what it calls poison. That is 0 then, as on a GPU, but for a
negative number that is shifted down.)

Of an undefined value the optimizer may assume whatever it likes, such as that an index made of it is within its array.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from ..ir import Instruction, Module, read_instruction

_SHIFT = re.compile(r"  (%\S+) = (shl|lshr|ashr) (?:(?:nuw|nsw|exact) )*i(\d+) ([^,]+), ([^,]+)")
# -fno-strict-float-cast-overflow makes a call of each conversion, which is not folded to poison.
_CONVERSION = re.compile(
    r"  (%\S+) = call i(\d+) @llvm\.(fptosi|fptoui)\.sat\.i\d+\.\w+\((half|bfloat|float|double) (\S+)\)"
)
#: Not where it stands for the part of a vector or struct that is set next.
_POISON = re.compile(r"\bpoison\b")
_PARTS = ("insertelement", "insertvalue", "shufflevector")
_SUFFIX = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


def define_values(module: Module) -> None:
    numbers = itertools.count()
    declared: dict[str, str] = {}

    def define(instruction: Instruction) -> Iterable[Instruction]:
        if shift := _SHIFT.match(instruction.text):
            lines = _shift(shift, next(numbers), instruction.line)
        elif conversion := _CONVERSION.match(instruction.text):
            lines = _convert(conversion, next(numbers), instruction.line, declared)
        elif instruction.opcode == "sdiv":
            lines = iter([instruction.text.replace(" = sdiv exact ", " = sdiv ")])
        elif " poison" in instruction.text and instruction.opcode not in _PARTS:
            lines = iter([_POISON.sub("zeroinitializer", instruction.text)])
        else:
            return (instruction,)
        return map(read_instruction, lines)

    for function in module.functions.values():
        function.rewrite(define)
    module.declare(declared)


def _shift(shift: re.Match[str], number: int, line: str) -> Iterator[str]:
    """Everything is shifted out (PTX ISA, "shl" and "shr"); what comes in is the sign."""
    result, opcode, width, value, by = shift.groups()
    type_, fits, held = f"i{width}", f"%emu.fits.{number}", f"%emu.by.{number}"
    if by.isdigit() and int(by) < int(width):
        yield shift.string
        return
    yield f"  {fits} = icmp ult {type_} {by}, {width}{line}"
    if opcode == "ashr":
        yield f"  {held} = select i1 {fits}, {type_} {by}, {type_} {int(width) - 1}{line}"
        yield f"  {result} = ashr {type_} {value}, {held}{line}"
    else:
        yield f"  {held} = select i1 {fits}, {type_} {by}, {type_} 0{line}"
        yield f"  %emu.shifted.{number} = {opcode} {type_} {value}, {held}{line}"
        yield f"  {result} = select i1 {fits}, {type_} %emu.shifted.{number}, {type_} 0{line}"


def _convert(conversion: re.Match[str], number: int, line: str, declared: dict[str, str]) -> Iterator[str]:
    """Yield the nearest integer of the type. NaN becomes 0, from or to 64 bits the lowest bit pattern with the top bit
    set (PTX ISA, "cvt"). Types of less than 32 bits get the end of one with 32."""
    result, bits, opcode, type_, value = conversion.groups()
    width = max(int(bits), 32)
    callee = f"@llvm.{opcode}.sat.i{width}.{_SUFFIX[type_]}"
    declared[callee] = f"declare i{width} {callee}({type_})"
    held = f"%emu.held.{number}" if type_ == "double" or width == 64 or width > int(bits) else result
    yield f"  {held} = call i{width} {callee}({type_} {value}){line}"
    if type_ == "double" or width == 64:
        chosen = f"%emu.chosen.{number}" if width > int(bits) else result
        yield f"  %emu.none.{number} = fcmp uno {type_} {value}, {value}{line}"
        yield f"  {chosen} = select i1 %emu.none.{number}, i{width} {-(1 << (width - 1))}, i{width} {held}{line}"
        held = chosen
    if width > int(bits):
        yield f"  {result} = trunc i{width} {held} to i{bits}{line}"
