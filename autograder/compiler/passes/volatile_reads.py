"""Lets threads that wait by volatile reads wait for each other, where no other read has a hook."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import Alloca, Function, Instruction, Load, Module, read_instruction

_HOOK = "@emu_spin"


def yield_at_volatile_reads(module: Module) -> None:
    """Put a call in front of each volatile read of shared or global memory, by which the thread lets others go on."""
    for function in module.functions.values():
        _mark(function)
    module.declare({_HOOK: f"declare void {_HOOK}(ptr, ptr)"})


def _mark(function: Function) -> None:
    own = {one.result for one in function.instructions() if isinstance(one, Alloca)}

    def mark(read: Instruction) -> Iterable[Instruction]:
        if isinstance(read, Load) and read.volatile and read.pointer.value not in own:
            yield read_instruction(f"  call void {_HOOK}(ptr {read.pointer.value}, ptr null){read.line}")
        yield read

    function.rewrite(mark)
