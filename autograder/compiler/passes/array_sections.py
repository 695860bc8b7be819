"""Gives every shared and every constant array a section of its own, so that the linker can put a gap behind each.

They become writable: of reads of what cannot change, ThreadSanitizer's pass does not tell. That would be a constant
array that is `const`, too, and shared memory outside of a function, which the compiler takes for const since nothing
initializes it.
"""

from __future__ import annotations

import itertools

from ..ir import Module

_SECTIONS = (".bss.emu_shared", ".emu_constant")


def separate_arrays(module: Module) -> None:
    numbers = itertools.count()
    for variable in module.globals.values():
        section = variable.section.rstrip("0123456789")  # the prelude numbers those of `__constant__`
        if section in _SECTIONS:
            variable.section = f"{section}.{next(numbers)}"
            if variable.kind == "constant":
                variable.kind = "global"
