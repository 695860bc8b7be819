"""Lets no control leave a function but by its end, and no code run before the kernel."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import Function, Global, Instruction, Module, read_instruction, symbols

_CONSTRUCTOR = "@tsan.module_ctor"
_CONSTRUCTORS = ("@llvm.global_ctors", "@llvm.used")


def trap_unreachable(module: Module) -> None:
    """Trap where the compiler takes it for granted that control never comes."""

    def change(end: Instruction) -> Iterable[Instruction]:
        if end.opcode != "unreachable":
            return (end,)
        return (read_instruction(f"  call void @llvm.trap(){end.line}"), end)

    for function in module.functions.values():
        function.rewrite(change)
    module.declare({"@llvm.trap": "declare void @llvm.trap()"})


def remove_constructor(module: Module) -> None:
    """Remove the function that ThreadSanitizer's pass lets run at loading. A constructor of the text's own stays, and
    is refused."""
    lists = [variable for name, variable in module.globals.items() if name in _CONSTRUCTORS]
    if all(symbols(variable.value) == [_CONSTRUCTOR] for variable in lists):
        module.items = [item for item in module.items if not _is_constructor(item)]


def _is_constructor(item: str | Function | Global) -> bool:
    return not isinstance(item, str) and item.name in (_CONSTRUCTOR, *_CONSTRUCTORS)
