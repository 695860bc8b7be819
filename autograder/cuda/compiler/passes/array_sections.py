"""Gives every shared and every constant array its own section, so that the linker can put a gap after each.

The arrays become writable, because ThreadSanitizer's pass ignores reads of memory that can't change. Without this,
that would be constant arrays that are `const`, and shared memory outside a function, which the compiler takes for
const since nothing initializes it.
"""

from __future__ import annotations

import itertools

from ..ir import Module

_SECTIONS = (".bss.emu_shared", ".emu_constant")


def separate_arrays(module: Module) -> None:
    numbers = itertools.count()
    for variable in module.globals.values():
        section = variable.section.rstrip("0123456789")  # the prelude numbers the sections of `__constant__`
        if section in _SECTIONS:
            variable.section = f"{section}.{next(numbers)}"
            if variable.kind == "constant":
                variable.kind = "global"
