"""Keeps the check of each indirect call, that it reaches a function of the pointer's type.

If the optimizer knows the address, it turns the call into a direct one and drops the check. So we pass the address
through an empty piece of assembly that hides it.
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
