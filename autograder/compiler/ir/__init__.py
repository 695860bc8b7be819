"""A reader and writer of LLVM IR text, as clang 22 (the ziglang wheel's) prints it.

`read_module` turns a text into plain data, every instruction of it, and `Module.text` turns that back: byte for byte
where nothing was changed. Passes change the data in place; what they insert goes through `read_instruction`, so it
is as well known as what the compiler wrote. Operands are read of what accesses memory, calls, or leads to another
block; of other instructions only result, opcode and metadata.

A library such as llvmlite would bring an LLVM of its own (170 MB on a student's machine, none in a browser, and a
version that has to be clang's), parses no faster, and does not edit.

The reader is strict: a line that it does not know is a `GraderFault`, and nothing is skipped.
"""

from .instructions import read_instruction
from .metadata import field, location, node_elements
from .model import (
    AddressStep,
    Alloca,
    Atomic,
    Block,
    Call,
    DebugRecord,
    Function,
    Global,
    Instruction,
    Load,
    Module,
    Operand,
    Store,
    Terminator,
)
from .operands import array_of, pointed_type, read_elements, string_constant, symbols
from .reader import read_module

__all__ = [
    "AddressStep",
    "Alloca",
    "Atomic",
    "Block",
    "Call",
    "DebugRecord",
    "Function",
    "Global",
    "Instruction",
    "Load",
    "Module",
    "Operand",
    "Store",
    "Terminator",
    "array_of",
    "field",
    "location",
    "node_elements",
    "pointed_type",
    "read_elements",
    "read_instruction",
    "read_module",
    "string_constant",
    "symbols",
]
