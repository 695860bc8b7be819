"""Numbers the accesses after ThreadSanitizer's pass, so that the runtime finds its data about each at once.

The calls for 4, 8, and 16 bytes become those of inlined/inline_hooks.cpp, which pass the number; where the optimizer
runs, those in the innermost loops are inlined. Accesses to a thread's local arrays keep their calls, which first check
whether they are on its stack.
"""

from __future__ import annotations

from ...core.protocol import CONSTANTS
from ..ir import AddressStep, Alloca, Block, Call, Function, Global, Module, read_instruction
from ..ir.flow import find_loops

#: Kernels have fewer accesses than this; any more stay unnumbered.
_MAX_NUMBERS = CONSTANTS["MAX_NUMBERED_ACCESSES"]
#: Most accesses to inline: each one costs the optimizer some 10 ms.
MAX_INLINED = 16
_REPORTED = {f"@__tsan_{what}{size}": f"{what}{size}" for what in ("read", "write") for size in (4, 8, 16)}


def number_accesses(module: Module, inline: int = MAX_INLINED) -> None:
    """Number the accesses in the output of ThreadSanitizer's pass, of which `inline` are to be inlined."""
    # For each access: its block, its position there, and its loop depth in the function.
    accesses: list[tuple[Block, int, int]] = []
    for function in module.functions.values():
        local = _local_places(function)
        places = [
            (b, n)
            for b, block in enumerate(function.blocks)
            for n, call in enumerate(block.instructions)
            if isinstance(call, Call) and call.callee in _REPORTED and call.arguments[0].value not in local
        ]
        loops = (find_loops(function) or []) if places else []
        accesses += [(function.blocks[b], n, sum(b in loop.body for loop in loops)) for b, n in places]
    inlined = set(sorted(range(len(accesses)), key=lambda number: -accesses[number][2])[:inline])
    declared: dict[str, str] = {}
    for number, (block, n, _) in enumerate(accesses[:_MAX_NUMBERS]):
        call = block.instructions[n]
        assert isinstance(call, Call)
        what = _REPORTED[call.callee]
        callee = f"void @emu_{what}(i32" if number in inlined else f"preserve_allcc void @emu_called_{what}(i32"
        block.instructions[n] = read_instruction(f"  call {callee} {number}, {call.after_callee[1:]}")
        declared["@" + callee.partition("@")[2].partition("(")[0]] = f"declare {callee}, ptr)"
    module.declare(declared)
    many = min(len(accesses), _MAX_NUMBERS)
    module.items.append(Global("@emu_accesses", "", "constant", "i32", str(many), []))


def _local_places(function: Function) -> set[str]:
    """Return the pointers to variables of the function, by a step from there at most."""
    local: set[str] = set()
    for block in function.blocks:
        for at in block.instructions:
            if isinstance(at, Alloca) or (isinstance(at, AddressStep) and at.base.value in local):
                local.add(at.result)
    return local
