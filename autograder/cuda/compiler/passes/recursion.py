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
from .cells import own_variables
from .first_values import is_no_use

_TAKE = "@emu_recursion"


def count_recursion(module: Module) -> None:
    """Mark where each call of a function that calls itself begins and ends. Run this before variables get margins."""
    sizes = {}
    for name, back in _recursive(module.functions).items():
        function = module.functions[name]
        if module.has_attribute(function, "sanitize_thread"):
            try:
                sizes[name] = _kept(function, back, Layout(module))
            except (UnknownTypeError, UnreadableError):  # the verifier refuses it, with its line
                continue
    for name, size in sizes.items():
        if size:
            _mark(module.functions[name], size, sum(sizes.values()))
            module.declare({_TAKE: f"declare void {_TAKE}(i32, i32)"})


def _recursive(functions: dict[str, Function]) -> dict[str, set[str]]:
    """The functions that call themselves, and for each the functions by which it does: itself or others."""
    calls = {
        name: {one.callee for one in function.instructions() if isinstance(one, Call)} & functions.keys()
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


def _kept(function: Function, back: set[str], layout: Layout) -> int:
    """Bytes of the variables in memory that are used after a call, or by it."""
    own = own_variables(function)
    in_memory = {
        one.result: layout.size(one.type)
        for one in function.blocks[0].instructions
        if isinstance(one, Alloca) and not one.count and one.result not in own
    }
    made = {one.result: variables(one.text) for one in function.instructions() if not isinstance(one, DebugRecord)}
    after = successors(function)
    kept: set[str] = set()
    for i, block in enumerate(function.blocks):
        for at, call in enumerate(block.instructions):
            if not isinstance(call, Call) or call.callee not in back:
                continue
            for name in variables(call.text):
                kept |= {name} | made.get(name, set())
            later = [*block.instructions[at + 1 :]]
            for b in reached(after[i], after, set()):
                later += function.blocks[b].instructions
            for one in later:
                if not isinstance(one, DebugRecord) and not is_no_use(one):
                    kept |= variables(one.text)
    return sum(size for name, size in in_memory.items() if name in kept)


def _mark(function: Function, size: int, all_once: int) -> None:
    line = next((one.line for one in function.instructions() if one.line), "")

    def take(bytes_: int) -> Instruction:
        return read_instruction(f"  call void {_TAKE}(i32 {bytes_}, i32 {all_once}){line}")

    def give(one: Instruction) -> Iterator[Instruction]:
        if one.opcode == "ret":
            yield take(-size)
        yield one

    function.rewrite(give)
    entry = function.blocks[0].instructions
    entry.insert(max(i for i, one in enumerate(entry) if isinstance(one, Alloca)) + 1, take(size))
