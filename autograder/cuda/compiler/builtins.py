"""Replaces what clang makes of CUDA's functions that it knows itself by calls of the prelude's."""

from __future__ import annotations

from collections.abc import Iterator

from .ir import Call, Function, Global, Instruction, Module, read_instruction

#: By intrinsic and its arguments, the prelude's function.
_CALLS = {("@llvm.nvvm.barrier.cta.sync.aligned.all", "i32 0"): "@_ZL15emu_syncthreadsv"}
#: What calls of intrinsics become may be used by nothing yet.
HELPERS = tuple(_CALLS.values())
#: Lists of what to keep although nobody uses it: of a kernel's module, nothing.
_LISTS = ("@llvm.used", "@llvm.compiler.used")


def call_prelude(module: Module) -> None:
    """Call the prelude's functions, and drop those that nobody calls."""
    called: set[str] = set()

    def change(instruction: Instruction) -> Iterator[Instruction]:
        if isinstance(instruction, Call):
            given = ", ".join(f"{a.type} {a.value}" for a in instruction.arguments)
            if function := _CALLS.get((instruction.callee, given)):
                called.add(function)
                instruction = read_instruction(f"  call void {function}(){instruction.attachments}")
        yield instruction

    for function in module.functions.values():
        function.rewrite(change)
    unused = {*_LISTS, *_CALLS.values()} - called
    module.items = [item for item in module.items if not (isinstance(item, Function | Global) and item.name in unused)]
