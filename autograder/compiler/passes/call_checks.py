"""Keeps the check of each indirect call, that it reaches a function of the pointer's type.

The optimizer would take a call of an address that it knows for a direct one, and drop the check. So the address goes
through an empty piece of assembly, behind which nobody knows it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ..ir import Call, Instruction, Module, read_instruction


def keep_call_checks(module: Module) -> None:
    numbers = itertools.count(1)

    def hide_callee(call: Instruction) -> Iterable[Instruction]:
        if not isinstance(call, Call) or "kcfi" not in call.bundles:
            return (call,)
        name = f"%emu.callee.{next(numbers)}"
        return (
            read_instruction(f'  {name} = call ptr asm "", "=r,0"(ptr {call.callee})'),
            read_instruction(call.before_callee + name + call.after_callee),
        )

    for function in module.functions.values():
        function.rewrite(hide_callee)
