"""Prepares LLVM IR for ThreadSanitizer's pass, which tells the runtime of every load and store.

The pass tells of a struct's copy as of a run of bytes: where it is, how long it is, and not how it must
be aligned. So a copy that the hardware does in one access becomes one load and one store, and before
every other one stands a call that checks the alignment.
"""

from __future__ import annotations

import re

_COPY = re.compile(
    r"^ *call void @llvm\.memcpy\.p0\.p0\.i64\("
    r"ptr(?: noundef| nonnull)* align (?P<to_align>\d+) (?P<to>[%@][-\w.$]+), "
    r"ptr(?: noundef| nonnull)* align (?P<from_align>\d+) (?P<from_>[%@][-\w.$]+), "
    r"i64 (?P<bytes>\d+), i1 false\)(?P<debug>.*)$",
    re.M,
)
#: The widths, in bytes, of the hardware's loads and stores.
_WIDTHS = (1, 2, 4, 8, 16)


def mark_copies(ir: str) -> str:
    """The IR text with each copy of known alignment made checkable."""
    calls = 0
    names = 0

    def marked(copy: re.Match[str]) -> str:
        nonlocal calls, names
        size, to_align, from_align = int(copy["bytes"]), int(copy["to_align"]), int(copy["from_align"])
        # What hangs behind the call is its line, and notes of which a load knows nothing.
        place = re.match(r"(?:, !dbg !\d+)?", copy["debug"])
        line = place[0] if place else ""
        if size in _WIDTHS and min(to_align, from_align) >= size:
            names += 1
            return (
                f"  %emu.copy.{names} = load i{8 * size}, ptr {copy['from_']}, align {from_align}{line}\n"
                f"  store i{8 * size} %emu.copy.{names}, ptr {copy['to']}, align {to_align}{line}"
            )
        calls += 1
        return (
            f"  call void @emu_check_copy(ptr {copy['to']}, i64 {to_align}, ptr {copy['from_']}, "
            f"i64 {from_align}, i64 {size}){line}\n{copy[0]}"
        )

    out = _COPY.sub(marked, ir)
    return out + "\ndeclare void @emu_check_copy(ptr, i64, ptr, i64, i64)\n" if calls else out
