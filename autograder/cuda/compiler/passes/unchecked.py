"""What a kernel needs besides that runs without checks: nobody hears of its accesses then."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..entry import ENTRY
from ..ir import Alloca, Call, Function, Instruction, Load, Module, read_instruction

_CALLED_FROM = "@llvm.returnaddress"
#: What forbids inlining a function: that it says so, or that its caller is to have hooks and it is not.
_INLINES_NOT = re.compile(r"\b(?:noinline|sanitize_thread) ")
#: What lets another module see or replace a function.
_REPLACEABLE = re.compile(
    r"(?<=^define )(?:internal |linkonce_odr |weak_odr )?(?:dso_local )?(?:hidden |protected )?"
    r"|(?<= )comdat(?:\([^)]*\))? "
)
_READ_ONLY, _SPIN = "@emu_load_read_only", "@emu_spin"


def forget_read_only_loads(module: Module) -> None:
    """Remove the call before each load by `__ldg` or `ld.global.nc`."""
    for function in module.functions.values():
        function.rewrite(lambda instr: () if isinstance(instr, Call) and instr.callee == _READ_ONLY else (instr,))


def yield_at_volatile_reads(module: Module) -> None:
    """Put a call before each volatile read of shared or global memory, by which the thread lets others go on: it
    may wait for them, and no other read has a hook."""
    for function in module.functions.values():
        _mark(function)
    module.declare({_SPIN: f"declare void {_SPIN}(ptr, ptr)"})


def _mark(function: Function) -> None:
    local = {instr.result for instr in function.instructions() if isinstance(instr, Alloca)}

    def mark(read: Instruction) -> Iterable[Instruction]:
        if isinstance(read, Load) and read.volatile and read.pointer.value not in local:
            yield read_instruction(f"  call void {_SPIN}(ptr {read.pointer.value}, ptr null){read.line}")
        yield read

    function.rewrite(mark)


def show_variables(module: Module) -> None:
    """Let each variable be one that other modules may write.

    Of a variable that only one function names, and that nothing passes to a hook, the optimizer concludes what no other
    thread and no host has written: `__constant__ int n` would keep its first value, and `__shared__ int sum` be each
    thread's.
    """
    for variable in module.globals.values():
        if variable.kind == "global":
            variable.linkage = re.sub(r"\b(?:internal|private)\b", "hidden", variable.linkage)


def allow_inlining(module: Module) -> None:
    """Let the optimizer inline all functions but those that pass on where they were called."""
    module.items = [
        _INLINES_NOT.sub("", item) if isinstance(item, str) and item.startswith("attributes ") else item
        for item in module.items
    ]
    for function in module.functions.values():
        if function.name == ENTRY:
            continue
        function.head = _REPLACEABLE.sub("", function.head).replace("define ", "define internal ", 1)
        if any(isinstance(instr, Call) and instr.callee == _CALLED_FROM for instr in function.instructions()):
            function.head = function.head.replace(" #", " noinline #", 1)
