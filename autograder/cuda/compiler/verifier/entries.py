"""What a kernel may call of the runtime: each entry's type, and what the call itself does to memory.

The types are those of `cuda/emulator/hooks/` in LLVM's terms; the C library's mathematical functions are read from the
prelude, which declares them. `tests/cuda/compiler/test_verifier.py` compares the list with what the runtime exports.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_PRELUDE = Path(__file__).parents[2] / "emulator"
_C_TYPES = {"double": "double", "float": "float", "int": "i32", "long": "i64"}


class Range(NamedTuple):
    """Bytes that a call concerns: the number of the argument that points to them, and how many they are, or the number
    of the argument that counts them."""

    pointer: int
    write: bool
    bytes: int = 1  # of each, where an argument counts
    counted_by: int | None = None


@dataclass(frozen=True)
class Entry:
    """One function of the runtime."""

    type: str
    #: The call returns only if the thread may access these bytes.
    hooks: tuple[Range, ...] = ()
    #: The call itself accesses these bytes, and asks nobody.
    touches: tuple[Range, ...] = ()
    #: It leaves all memory of the thread as it is, but for what it `touches`.
    quiet: bool = True
    #: Its first argument is the number of the access.
    numbered: bool = False
    #: It allows an access that nobody may hear of; for the text's own functions, it allows only the thread's stack
    #: and constants (the third argument is null).
    is_guard: bool = False
    #: Bytes at the pointer that it returns, which may be read.
    returned_bytes: int = 0


@cache
def runtime_entries() -> dict[str, Entry]:
    """Return all entries, by their names in the IR."""
    found: dict[str, Entry] = {}

    def add(type_: str, names: str, **rest: Any) -> None:
        found.update({f"@{name}": Entry(type_, **rest) for name in names.split()})

    for action in ("read", "write"):
        write = action == "write"
        for size in (1, 2, 4, 8, 16):
            hook = (Range(0, write, size),)
            add("void (ptr)", f"__tsan_{action}{size} __tsan_unaligned_{action}{size}", hooks=hook)
            if size >= 4:
                hook = (Range(1, write, size),)
                add("void (i32, ptr)", f"emu_{action}{size}", hooks=hook, numbered=True)
                add("preserve_allcc void (i32, ptr)", f"emu_called_{action}{size}", hooks=hook, numbered=True)
        counted = (Range(0, write, counted_by=1),)
        add("void (ptr, i64)", f"__tsan_{action}_range", hooks=counted)
        add("void (ptr, i64, ptr)", f"emu_may_{action}", hooks=counted, is_guard=True)
    add("ptr (ptr, ptr, i64)", "__tsan_memcpy __tsan_memmove", quiet=False)
    add("ptr (ptr, i32, i64)", "__tsan_memset", quiet=False)
    add("void ()", "__ubsan_handle_local_out_of_bounds_abort")
    add("void (ptr, i64)", "__ubsan_handle_out_of_bounds")
    add("void (ptr, i64, ptr, i64, i64, i32)", "emu_check_copy")
    add("void (ptr, i64, ptr)", "emu_local_begin")
    add("void (ptr, i64)", "emu_local_end")
    add("void (i32, ptr)", "emu_local_use")
    add("void (i32, i32)", "emu_recursion")
    add("void (i32)", "emu_step_line emu_step_enter emu_step_leave")
    add("void (ptr, i64, i32, i32)", "emu_step_declare")

    add("void (ptr)", "emu_barrier emu_grid_barrier emu_sleep", quiet=False)
    add("void (ptr)", "emu_cluster_barrier emu_cluster_arrive emu_cluster_wait", quiet=False)
    add("void (i32, i32, ptr)", "emu_named_sync emu_named_arrive", quiet=False)
    add("ptr (ptr, i32, ptr)", "emu_cluster_map")
    add("i32 (ptr, ptr)", "emu_cluster_rank_of")
    add("i32 (i32, ptr, ptr)", "emu_barrier_reduce", touches=(Range(1, True, 4),), quiet=False)
    add("void (i32, ptr)", "emu_warp_barrier emu_fence")
    add("void ()", "emu_call_begin emu_call_end")
    add("ptr (i32, i64, ptr, ptr)", "emu_warp_exchange", returned_bytes=32 * 8 + 2 * 4)
    add("i64 (i32, ptr)", "emu_value_of_nobody")
    add("i32 (ptr)", "emu_active_mask")
    writing = "emu_atomic emu_atomic_store emu_atomic_exchange"
    add("void (ptr, i32, i32, ptr)", writing, hooks=(Range(0, True, counted_by=1),))
    add("void (ptr, i32, i32, ptr)", "emu_atomic_load", hooks=(Range(0, False, counted_by=1),))
    add("void ()", "emu_compare_and_swap emu_grid_wait emu_grid_trigger")
    add("void (ptr, i32)", "emu_release emu_acquire emu_pass_barrier emu_load_read_only")
    add("void (i32)", "emu_atomic_elements")
    add("void (ptr)", "emu_relaxed")
    add("void (ptr, ptr)", "emu_spin emu_trap emu_misuse emu_check_global emu_free")
    add("void (i64, ptr)", "emu_check_object")
    add("void (ptr, ptr, i32, i32, i32, ptr)", "emu_async_copy")
    add("void ()", "emu_async_commit")
    add("void (ptr, ptr, i32, i32, ptr)", "emu_load_matrix emu_store_matrix")
    add("void (ptr, ptr, ptr, ptr, i64, i64, i32, ptr)", "emu_multiply_matrices")
    add("void (ptr, i32)", "emu_warpgroup_register")
    add("void (i64, i64, i64, i64, ptr)", "emu_warpgroup_multiply", quiet=False)
    add("void (ptr)", "emu_warpgroup_fence emu_warpgroup_commit")
    add("void (i32, ptr)", "emu_warpgroup_wait", quiet=False)
    add("i32 (ptr)", "emu_shared_address emu_space_of")
    add("ptr (i32, ptr)", "emu_shared_pointer")
    add("void (ptr, i32, i32, ptr)", "emu_load_rows emu_store_rows")
    add("void (i32, ptr)", "emu_async_wait", quiet=False)
    add("void (ptr, i32, i32, ptr)", "emu_mbarrier_init", quiet=False)
    add("void (ptr, ptr)", "emu_mbarrier_invalidate")
    add("i64 (ptr, i32, i32, i32, ptr)", "emu_mbarrier_arrive", quiet=False)
    add("i32 (ptr, i64, i32, ptr)", "emu_mbarrier_test", quiet=False)
    add("void (ptr, ptr, i32, ptr, i32, ptr)", "emu_bulk_load", quiet=False)
    add("void (ptr, ptr, i32, i32, ptr)", "emu_bulk_store", quiet=False)
    coordinates = "i32, i32, i32, i32, i32, i32"
    add(f"void (ptr, ptr, {coordinates}, ptr, i32, ptr)", "emu_bulk_load_tile", quiet=False)
    add(f"void (ptr, ptr, {coordinates}, i32, ptr)", "emu_bulk_store_tile", quiet=False)
    add("void ()", "emu_bulk_commit emu_exit")
    add("void (i32, i32, ptr)", "emu_bulk_wait", quiet=False)
    add("void (i32, ptr)", "emu_bulk_fence emu_bulk_map_fence")
    add("void (ptr, i32, i32, i64, ptr)", "emu_bulk_map_replace", quiet=False)
    add("i32 (ptr, ptr, i32, ptr)", "emu_print", touches=(Range(1, False, 8, counted_by=2),))
    add("i32 (ptr, ...)", "emu_printf")
    add("void (ptr)", "llvm.x86.sse.ldmxcsr", touches=(Range(0, False, 4),))  # an instruction, for rounding modes
    add("i64 ()", "emu_clock")
    add("ptr (i64, ptr)", "emu_allocate")
    add("void (ptr, i64)", "emu_launch_arguments", touches=(Range(0, False, counted_by=1),))
    add("i32 (ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr)", "emu_launch")
    add("i32 (ptr, ptr, i64, i32, ptr, ptr)", "emu_launch_copy")
    add("i32 (ptr, i32, i64, ptr, ptr)", "emu_launch_fill")
    add("ptr (i32, ptr)", "emu_launch_stream")
    add("i32 (ptr, ptr)", "emu_launch_stream_end")
    add("i32 (i32)", "emu_launch_error")
    return found | _mathematics()


def _mathematics() -> dict[str, Entry]:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(_PRELUDE.glob("prelude*.h")))
    found = {}
    for count, name in re.findall(r"(?<!define )EMU_M([12])\((\w+)\)", text):
        for ending, type_ in (("", "double"), ("f", "float")):
            found[f"@{name}{ending}"] = Entry(f"{type_} ({', '.join([type_] * int(count))})")
    for returned, name, given in re.findall(r"EMU_C\((\w+), (\w+), ([\w, ]+)\)", text):
        if returned in _C_TYPES:  # (not in the macro's own definition)
            types = ", ".join(_C_TYPES[word] for word in given.split(", "))
            found[f"@{name}"] = Entry(f"{_C_TYPES[returned]} ({types})")
    return found
