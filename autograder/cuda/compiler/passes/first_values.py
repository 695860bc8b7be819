"""Fills local variables that a path can reach without passing their declaration: by a `switch`, or a `goto`.

clang fills a variable without an initial value where it is declared (`-ftrivial-auto-var-init=pattern`). A thread
that jumps there would find what another thread left on this stack, and could compute with it: data that threads share,
and no access that an observer hears of. So such a variable gets the same pattern where its function begins.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import (
    Alloca,
    Call,
    DebugRecord,
    Function,
    Instruction,
    Module,
    Store,
    UnreadableError,
    read_instruction,
    variables,
)
from ..ir.flow import predecessors, successors
from ..verifier.layout import Layout, UnknownTypeError

_PATTERN = -86  # 0xAA, clang's
FILL = "@llvm.memset.p0.i64"
COPIES = ("@llvm.memcpy.p0.p0.i64", "@llvm.memmove.p0.p0.i64")
_NO_USE = ("@llvm.lifetime.start.p0", "@llvm.lifetime.end.p0")


def fill_first_values(module: Module) -> None:
    """Fill what may be used before it has a value, in the functions of the text."""
    layout, filled = Layout(module), False
    for function in module.functions.values():
        if module.has_attribute(function, "sanitize_thread") and (fills := list(_fills(function, layout))):
            entry, filled = function.blocks[0], True
            at = max(i for i, instr in enumerate(entry.instructions) if isinstance(instr, Alloca)) + 1
            entry.instructions[at:at] = fills
    if filled:
        module.declare({FILL: f"declare void {FILL}(ptr, i8, i64, i1 immarg)"})


def _fills(function: Function, layout: Layout) -> Iterator[Instruction]:
    locals_ = {
        instr.result: instr
        for instr in function.blocks[0].instructions
        if isinstance(instr, Alloca) and not instr.count
    }
    sizes = {}
    for name, alloca in locals_.items():
        try:
            sizes[name] = layout.size(alloca.type)
        except (UnknownTypeError, UnreadableError):  # the verifier refuses it, with its line
            continue
    for name in sorted(_used_before_set(function, sizes, layout)):
        yield read_instruction(
            f"  call void {FILL}(ptr align {locals_[name].align} {name}, i8 {_PATTERN}, i64 {sizes[name]}, i1 false)"
        )


def _used_before_set(function: Function, sizes: dict[str, int], layout: Layout) -> set[str]:
    """Of the variables, those that some path from the entry uses before all of their bytes are set."""
    before = predecessors(successors(function))
    unset_after: list[set[str] | None] = [None] * len(function.blocks)  # None: not reached yet
    used: set[str] = set()
    changed = True
    while changed:
        changed = False
        for i, block in enumerate(function.blocks):
            ways = [those for b in before[i] if (those := unset_after[b]) is not None]
            if i and not ways:
                continue
            unset = set(sizes) if i == 0 else set[str]().union(*ways)
            for instruction in block.instructions:
                if not unset or isinstance(instruction, Alloca | DebugRecord) or is_no_use(instruction):
                    continue
                target = _sets(instruction, sizes, layout)
                used |= {name for name in variables(instruction.text) if name in unset and name != target}
                unset.discard(target)
            if unset != unset_after[i]:
                unset_after[i], changed = unset, True
    return used


def _sets(instruction: Instruction, sizes: dict[str, int], layout: Layout) -> str:
    """Return the variable all of whose bytes the instruction sets; empty for none."""
    if isinstance(instruction, Store) and instruction.pointer.value in sizes:
        name = instruction.pointer.value
        whole = instruction.value.value != name and layout.accessed(instruction.type) == sizes[name]
        return name if whole else ""
    if isinstance(instruction, Call) and instruction.arguments:
        name = instruction.arguments[0].value
        if instruction.callee in (FILL, *COPIES) and name in sizes:
            whole = instruction.arguments[2].value == str(sizes[name]) and instruction.arguments[1].value != name
            return name if whole else ""
    return ""


def is_no_use(instruction: Instruction) -> bool:
    return isinstance(instruction, Call) and instruction.callee in _NO_USE
