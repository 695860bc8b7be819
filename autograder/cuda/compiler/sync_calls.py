"""Finds the calls of a text that do nothing but synchronize threads: barriers, `__syncwarp`, groups' `sync`, fences."""

from __future__ import annotations

from ..core.run import SyncCall
from .ir import Call, Function, Module, location
from .verifier.rules import is_in_text

#: The runtime's functions that carry them out.
_ENTRIES = frozenset("emu_barrier emu_warp_barrier emu_grid_barrier emu_cluster_barrier emu_fence".split())


def find_sync_calls(module: Module) -> tuple[SyncCall, ...]:
    """Return the calls that the text itself makes, sorted by line, each line once for each of the runtime's functions.
    A call that also waits for copies, exchanges values, or orders what the host sees, is none."""
    functions = {name: _runtime_function(function, module) for name, function in module.functions.items()}
    columns: dict[tuple[int, str], set[int]] = {}  # an instance of a template has the same ones
    for function in module.functions.values():
        if is_in_text(function.debug, module.metadata):
            for call in function.instructions():
                name = functions.get(call.callee, "") if isinstance(call, Call) else ""
                if name and (place := location(module.metadata, call.attachment("dbg"))):
                    columns.setdefault((place[0], name), set()).add(place[1])
    return tuple(SyncCall(line, name, len(places)) for (line, name), places in sorted(columns.items()))


def _runtime_function(function: Function, module: Module) -> str:
    """Return the runtime's function that one of the prelude's is for, at the place that calls it; "" if it is for
    another."""
    called = {i.callee.removeprefix("@") for i in function.instructions() if isinstance(i, Call)}
    of_runtime = sorted(name for name in called if name.startswith("emu_") and f"@{name}" not in module.functions)
    at_its_place = any(name.startswith("llvm.returnaddress") for name in called)
    return of_runtime[0] if at_its_place and of_runtime and _ENTRIES.issuperset(of_runtime) else ""
