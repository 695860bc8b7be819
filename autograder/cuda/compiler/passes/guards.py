"""Puts a guard before each access that nothing else watches: those of the prelude's functions, and those of local
variables that ThreadSanitizer's pass leaves out.

The runtime refuses it where the thread may not go. In an array, where no atomic has told of it, it is an access of the
kernel's, see `guard` in hooks/access.h; elsewhere it counts as none.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator

from ..ir import Instruction, Module, read_instruction
from ..verifier import Need, Surroundings, judge

_DECLARATIONS = {
    "@emu_may_read": "declare void @emu_may_read(ptr, i64, ptr)",
    "@emu_may_write": "declare void @emu_may_write(ptr, i64, ptr)",
    "@llvm.returnaddress": "declare ptr @llvm.returnaddress(i32 immarg)",
}


def guard_accesses(module: Module) -> None:
    """Guard what can't be proven to be allowed. Run this last."""
    around, numbers = Surroundings(module), itertools.count()
    used = False
    for function in module.functions.values():
        needs: dict[int, dict[int, list[Need]]] = defaultdict(lambda: defaultdict(list))
        for judged in judge(function, around):
            if not judged.proof:
                needs[judged.block][judged.position].append(judged.need)
        # The prelude's functions have no lines of the text; those who call them do.
        called_from = not module.has_attribute(function, "sanitize_thread")
        for block, places in needs.items():
            used = True
            instructions: list[Instruction] = []
            for n, instruction in enumerate(function.blocks[block].instructions):
                for need in places.get(n, ()):
                    guard = _guard(need, instruction, next(numbers) if called_from else None)
                    instructions += map(read_instruction, guard)
                instructions.append(instruction)
            function.blocks[block].instructions = instructions
    if used:
        module.declare(_DECLARATIONS)


def _guard(need: Need, access: Instruction, number: int | None) -> Iterator[str]:
    site = "null"
    if number is not None:
        site = f"%emu.site.{number}"
        yield f"  {site} = call ptr @llvm.returnaddress(i32 0){access.line}"
    size = need.bytes if isinstance(need.bytes, str) else f"i64 {need.bytes}"
    action = "write" if need.write else "read"
    yield f"  call void @emu_may_{action}(ptr {need.pointer}, {size}, ptr {site}){access.line}"
