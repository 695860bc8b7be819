"""Tells the runtime how much of a GPU's stack a recursion takes.

A compiler for GPUs cannot know how deep a recursion gets, so a thread has what `cudaLimitStackSize` says for it. Of a
call, the variables count that must lie in memory and that are still used after it has called itself: without those, a
compiler may make a loop of it. A GPU takes more, for registers and return addresses: what is reported is too deep on
any.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Alloca, Call, DebugRecord, Function, Instruction, Module, UnreadableError, read_instruction, variables
from ..ir.flow import reached, successors
from ..verifier.layout import Layout, UnknownTypeError
from .cells import private_variables
from .first_values import is_no_use

_TAKE = "@emu_recursion"


def count_recursion(module: Module) -> None:
    """Mark where each call of a function that calls itself begins and ends. Run this before variables get margins."""
    sizes = {}
    for name, back in _recursive(module.functions).items():
        function = module.functions[name]
        if module.has_attribute(function, "sanitize_thread"):
            try:
                sizes[name] = _bytes_in_use(function, back, Layout(module))
            except (UnknownTypeError, UnreadableError):  # the verifier refuses it, with its line
                continue
    for name, size in sizes.items():
        if size:
            _mark(module.functions[name], size, sum(sizes.values()))
            module.declare({_TAKE: f"declare void {_TAKE}(i32, i32)"})


def _recursive(functions: dict[str, Function]) -> dict[str, set[str]]:
    """Return the functions that call themselves, and for each the functions by which it does: itself or others."""
    calls = {
        name: {instr.callee for instr in function.instructions() if isinstance(instr, Call)} & functions.keys()
        for name, function in functions.items()
    }
    while ends := {name for name, called in calls.items() if not called & calls.keys()}:  # (nearly always, all of them)
        for name in ends:
            del calls[name]
    found = {}
    for name in calls:
        back = {name}
        while more := {other for other, called in calls.items() if called & back} - back:
            back |= more
        if calls[name] & back:
            found[name] = back
    return found


def _bytes_in_use(function: Function, back: set[str], layout: Layout) -> int:
    """Return the bytes of the variables in memory that are used after a call, or by it."""
    private = private_variables(function)
    in_memory = {
        instr.result: layout.size(instr.type)
        for instr in function.blocks[0].instructions
        if isinstance(instr, Alloca) and not instr.count and instr.result not in private
    }
    made = {
        instr.result: variables(instr.text) for instr in function.instructions() if not isinstance(instr, DebugRecord)
    }
    after = successors(function)
    used: set[str] = set()
    for i, block in enumerate(function.blocks):
        for at, call in enumerate(block.instructions):
            if not isinstance(call, Call) or call.callee not in back:
                continue
            for name in variables(call.text):
                used |= {name} | made.get(name, set())
            later = [*block.instructions[at + 1 :]]
            for b in reached(after[i], after, set()):
                later += function.blocks[b].instructions
            for instr in later:
                if not isinstance(instr, DebugRecord) and not is_no_use(instr):
                    used |= variables(instr.text)
    return sum(size for name, size in in_memory.items() if name in used)


def _mark(function: Function, size: int, all_once: int) -> None:
    line = next((instr.line for instr in function.instructions() if instr.line), "")

    def take(bytes_: int) -> Instruction:
        return read_instruction(f"  call void {_TAKE}(i32 {bytes_}, i32 {all_once}){line}")

    def give(instr: Instruction) -> Iterator[Instruction]:
        if instr.opcode == "ret":
            yield take(-size)
        yield instr

    function.rewrite(give)
    entry = function.blocks[0].instructions
    entry.insert(max(i for i, instr in enumerate(entry) if isinstance(instr, Alloca)) + 1, take(size))
