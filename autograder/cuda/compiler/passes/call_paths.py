"""Tells the runtime through which calls a thread has come to a barrier.

All threads must reach the same barrier. One in a function that is called in two branches is two barriers where the
compiler puts the function into each of them. So where the threads of a block, or the lanes of a warp, have to stand at
one instruction, they must have come there by the same calls, too. Only calls that leave a choice are told of: of
functions that lead to such an instruction, and that are called in several places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..ir import Call, Function, Instruction, Module, read_instruction

#: Where the runtime compares instructions.
_MEETINGS = frozenset(
    "@emu_barrier @emu_barrier_reduce @emu_grid_barrier @emu_active_mask "
    "@emu_load_matrix @emu_store_matrix @emu_multiply_matrices @emu_load_rows @emu_store_rows "
    "@emu_warpgroup_multiply @emu_warpgroup_fence @emu_warpgroup_commit @emu_warpgroup_wait".split()
)
#: (Two such calls must not become one.)
_DECLARATIONS = {
    f"@emu_call_{end}": f"declare void @emu_call_{end}() convergent noduplicate" for end in ("begin", "end")
}


def mark_call_paths(module: Module) -> None:
    """Mark the calls that lead to a barrier by one of several ways. Run this when no call is by a pointer."""
    functions = module.functions
    calls = Counter(i.callee for function in functions.values() for i in function.instructions() if isinstance(i, Call))
    leading = _leading(functions, _MEETINGS)
    # The prelude's functions stand for an instruction each, at the place that calls them; unless they call the text's.
    in_text = {name for name in leading if _has_a_place(module, functions[name])}
    marked = {name for name in in_text | _leading(functions, in_text) if calls[name] > 1}

    def mark(call: Instruction) -> Iterable[Instruction]:
        if not isinstance(call, Call) or call.callee not in marked:
            return (call,)
        begin, end = (read_instruction(f"  call void @emu_call_{word}(){call.line}") for word in ("begin", "end"))
        return (begin, call, end)

    if marked:
        for function in functions.values():
            function.rewrite(mark)
        module.declare(_DECLARATIONS)


def _has_a_place(module: Module, function: Function) -> bool:
    """Return whether a function's instructions are where it stands, and not where it is called."""
    if function.name.startswith("@emu.choose."):
        return True
    return module.has_attribute(function, "sanitize_thread") and not module.has_attribute(function, "alwaysinline")


def _leading(functions: dict[str, Function], to: Iterable[str]) -> set[str]:
    """Return the functions that call one of `to`, themselves or through others."""
    callees = {name: {i.callee for i in f.instructions() if isinstance(i, Call)} for name, f in functions.items()}
    found: set[str] = set()
    wanted = set(to)
    while wanted:
        wanted = {name for name in functions.keys() - found if callees[name] & wanted}
        found |= wanted
    return found
