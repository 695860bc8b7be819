"""Reads and writes LLVM IR text as printed by clang 22 (the ziglang wheel's).

`read_module` turns a text into plain data, including every instruction, and `Module.text` turns that back: byte for
byte if nothing changed. Passes change the data in place; what they insert goes through `read_instruction`, so it is
as fully parsed as the compiler's own output. We parse the operands of instructions that access memory, call, or
branch; for others, only result, opcode, and metadata.

A library such as llvmlite would bring its own LLVM (170 MB on a student's machine, not available in a browser, and
tied to clang's version), doesn't parse faster, and can't edit.

The reader is strict: a line that it doesn't know is a `GraderFault`; it skips nothing.
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
from .operands import (
    UnreadableError,
    array_of,
    pointed_type,
    read_elements,
    string_constant,
    symbols,
    variables,
    with_names,
)
from .reader import read_module
