"""Prepares verified IR for two stacks: variables whose address is taken get one in the window (LLVM's SafeStack), and
only constant distances from the stack's pointer lead to the others, which stay on the processor's.
"""

from __future__ import annotations

import re
from itertools import count

from ..ir import Alloca, Call, DebugRecord, Function, Instruction, Module, read_instruction
from ..verifier.layout import Layout

_ATTRIBUTES = re.compile(r"^attributes #\d+ = \{ ", re.MULTILINE)
_BY_VALUE = re.compile(r" byval\(((?:[^()\"]|\"[^\"]*\")*)\)")
_ENTRY = "@emu_entry"
_COPY = "@llvm.memcpy.p0.p0.i64"


def with_two_stacks(module: Module, *, all_variables: bool) -> str:
    """Return the module's text, in which variables have two stacks. The module is changed, too.

    Without what debuggers want to know of variables: it would take the code generator a tenth of its time, and nobody
    reads it.

    Args:
        all_variables: put each variable into the window.
    """
    passes_copies = any(" byval(" in function.head for function in module.functions.values())
    for function in module.functions.values():
        for block in function.blocks:
            block.instructions = [i for i in block.instructions if not isinstance(i, DebugRecord)]
        if passes_copies:
            _pass_pointers(function, Layout(module))
        if all_variables:
            function.rewrite(_with_address_taken)
    if passes_copies:
        module.declare({_COPY: f"declare void {_COPY}(ptr, ptr, i64, i1 immarg)"})
    return _ATTRIBUTES.sub(r"\g<0>safestack ", module.text())


def _with_address_taken(instruction: Instruction) -> list[Instruction]:
    """Let SafeStack believe that others have a variable's address. (The code generator may keep it in a register.)"""
    taken = f'  call void asm sideeffect "", "r"(ptr {instruction.result})'
    return [instruction, read_instruction(taken)] if isinstance(instruction, Alloca) else [instruction]


def _pass_pointers(function: Function, layout: Layout) -> None:
    """What is passed by value becomes a variable of the caller's. (The code generator would write it by a register.)"""
    function.head = _BY_VALUE.sub("", function.head)
    numbers, variables = count(), []

    def pass_pointers(old: Instruction) -> list[Instruction]:
        if not isinstance(old, Call) or " byval(" not in old.text:
            return [old]
        text, copies = old.text, []
        for given in old.arguments:
            if found := _BY_VALUE.search(" " + given.attributes):
                if function.name == _ENTRY:  # it passes only what it has copied for the call
                    text = text.replace(given.text, f"ptr align {given.align} {given.value}", 1)
                    continue
                name = f"%emu.passed.{next(numbers)}"
                variables.append(read_instruction(f"  {name} = alloca {found[1]}, align {given.align}"))
                size = layout.size(found[1])
                copies.append(
                    read_instruction(
                        f"  call void {_COPY}(ptr align {given.align} {name}, ptr {given.value}, i64 {size}, i1 false)"
                    )
                )
                text = text.replace(given.text, f"ptr align {given.align} {name}", 1)
        return [*copies, read_instruction(text)]

    function.rewrite(pass_pointers)
    function.blocks[0].instructions[:0] = variables
