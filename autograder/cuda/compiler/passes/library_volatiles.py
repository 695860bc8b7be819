"""Lets the volatile accesses of a library's functions be what PTX makes of them.

In PTX, a volatile access is a relaxed one of system scope: no data race with another such access of the same bytes. In
CUDA C++ it is a plain access, and so it is in a user's functions. But NVIDIA's libraries are written for PTX: the
radix sort of CUB passes the sums of its blocks from one to the next through words that it only ever uses so.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Alloca, Function, Instruction, Load, Module, Store, read_instruction
from ..verifier.rules import is_in_text

_RELAXED = "@emu_relaxed"


def relax_volatiles_of_libraries(module: Module) -> None:
    """Put a call before each such access that may be of memory that blocks share."""
    marked = False
    for function in module.functions.values():
        if module.has_attribute(function, "sanitize_thread") and not is_in_text(function.debug, module.metadata):
            marked |= _mark(function)
    if marked:
        module.declare({_RELAXED: f"declare void {_RELAXED}(ptr)"})


def _mark(function: Function) -> bool:
    local = {instr.result for instr in function.instructions() if isinstance(instr, Alloca)}
    marked = False

    def mark(instr: Instruction) -> Iterator[Instruction]:
        nonlocal marked
        if isinstance(instr, Load | Store) and instr.volatile and instr.pointer.value not in local:
            marked = True
            yield read_instruction(f"  call void {_RELAXED}(ptr {instr.pointer.value}){instr.line}")
        yield instr

    function.rewrite(mark)
    return marked
