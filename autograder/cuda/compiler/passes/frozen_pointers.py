"""Sees to it that an access goes where its hook has looked.

The optimizer may give two uses of an undefined pointer different bits. A frozen one has the same in all.
"""

from __future__ import annotations

import itertools
import re

from ..ir import Call, Instruction, Load, Module, Store, read_instruction

#: Hooks of the access that follows. (Guards are known by what they point to, and so keep it.)
_HOOKS = (
    *("@__tsan_read", "@__tsan_write", "@__tsan_unaligned_read", "@__tsan_unaligned_write"),
    *("@emu_read", "@emu_write", "@emu_called_"),
)


def freeze_pointers(module: Module) -> None:
    """Freeze each pointer that is told to a hook right before its use. Run this last."""
    numbers = itertools.count()
    for function in module.functions.values():
        for block in function.blocks:
            out: list[Instruction] = []
            for access in block.instructions:
                if out and isinstance(access, Load | Store) and _reports(out[-1], access.pointer.value):
                    old, new = access.pointer.value, f"%emu.at.{next(numbers)}"
                    freeze = read_instruction(f"  {new} = freeze ptr {old}{out[-1].line}")
                    out[-1:] = [freeze, _with(out[-1], old, new)]
                    access = _with(access, old, new)
                out.append(access)
            block.instructions = out


def _reports(hook: Instruction, pointer: str) -> bool:
    return (
        isinstance(hook, Call)
        and pointer.startswith("%")
        and hook.callee.startswith(_HOOKS)
        and any(argument.value == pointer for argument in hook.arguments)
    )


def _with(instruction: Instruction, old: str, new: str) -> Instruction:
    """Return the instruction with another pointer as its last operand of that type."""
    *_, last = re.finditer(rf"ptr {re.escape(old)}(?=[,)])", instruction.text)
    return read_instruction(f"{instruction.text[: last.start()]}ptr {new}{instruction.text[last.end() :]}")
