"""Reports accesses of odd widths, such as a bit field of 24 bits, which ThreadSanitizer's pass ignores: inserts
before each a call for a run of bytes, of the kind that ThreadSanitizer itself uses."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import Instruction, Load, Module, Store, read_instruction

#: Widths in bytes that ThreadSanitizer's pass handles.
_USUAL_WIDTHS = (1, 2, 4, 8, 16)


def mark_odd_widths(module: Module) -> None:
    found = False

    def mark(access: Instruction) -> Iterable[Instruction]:
        nonlocal found
        if not isinstance(access, Load | Store) or access.ordering or not (size := _odd_width(access.type)):
            return (access,)
        found = True
        action = "read" if isinstance(access, Load) else "write"
        call = f"  call void @__tsan_{action}_range(ptr {access.pointer.value}, i64 {size}){access.line}"
        return (read_instruction(call), access)

    for function in module.functions.values():
        function.rewrite(mark)
    if found:
        module.declare(
            {f"@__tsan_{what}_range": f"declare void @__tsan_{what}_range(ptr, i64)" for what in ("read", "write")}
        )


def _odd_width(type_: str) -> int:
    """Return bytes of an integer of odd width; 0 for any other type."""
    if type_[0] != "i":
        return 0
    size = (int(type_[1:]) + 7) // 8
    return 0 if size in _USUAL_WIDTHS else size
