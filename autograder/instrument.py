"""Prepares LLVM IR for the emulator.

Every shared and every constant array gets a section of its own, so that the linker can put a gap
behind each. And for ThreadSanitizer's pass, which tells the runtime of every load and store:
the pass tells of a struct's copy as of a run of bytes: where it is, how long it is, and not how it must
be aligned. So a copy that the hardware does in one access becomes one load and one store, and before
every other one stands a call that checks the alignment. Of a number that is read from, or written to, an array of
smaller elements, the compiler knows only how these are aligned; the hardware wants it aligned as its own type is.
Behind the pass, accesses get numbers, so that the runtime finds at once what it knows of each.
"""

from __future__ import annotations

import itertools
import re

from .local_arrays import FUNCTION, watch_local_arrays

_SECTION = re.compile(r'section "(\.bss\.emu_shared|\.emu_constant)"')
_COPY = re.compile(
    r"^ *call void @llvm\.memcpy\.p0\.p0\.i64\("
    r"ptr(?: noundef| nonnull)* align (?P<to_align>\d+) (?P<to>[%@][-\w.$]+), "
    r"ptr(?: noundef| nonnull)* align (?P<from_align>\d+) (?P<from_>[%@][-\w.$]+), "
    r"i64 (?P<bytes>\d+), i1 false\)(?P<debug>.*)$",
    re.M,
)
#: A place in an array of numbers: what is copied from or to there as a struct was cast.
_AMONG_SCALARS = re.compile(
    r"^  (%[-\w.$]+) = getelementptr [^\n]*?(?:\[\d+ x )+(?:float|double|half|bfloat|i\d+)\]", re.M
)
#: The same, or one in numbers that a pointer leads to; written for itself, or within an access.
_TO_SCALARS = r"getelementptr [^\n(]*?\(?(?:\[\d+ x )*(?:float|double|half|bfloat|i\d+)\]*, ptr"
_CAST = re.compile(rf"^ *(%[-\w.$]+) = {_TO_SCALARS}", re.M)
_SCALAR_ACCESS = re.compile(
    r"^(?P<before> *(?:%[-\w.$]+ = load|store) (?:volatile )?(?P<type>i16|i32|i64|half|bfloat|float|double|ptr)"
    r"(?: [^,\n]+)?, ptr (?P<at>%[-\w.$]+|getelementptr [^\n]*?\)), align )(?P<align>\d+)",
    re.M,
)
_SIZES = {"i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}
#: The widths, in bytes, of the hardware's loads and stores.
_WIDTHS = (1, 2, 4, 8, 16)


def prepare_ir(ir: str) -> str:
    """The IR text with a section for each array and each copy of known alignment made checkable."""
    numbers = itertools.count()
    ir = FUNCTION.sub(lambda function: _align_casts(function[0]), watch_local_arrays(ir))
    return _mark_copies(_SECTION.sub(lambda found: f'section "{found[1]}.{next(numbers)}"', ir))


def _align_casts(function: str) -> str:
    """The function with every number in an array of others aligned as its own type is."""
    casts = set(_CAST.findall(function))

    def aligned(access: re.Match[str]) -> str:
        at, size = access["at"], _SIZES[access["type"]]
        among_others = at in casts or re.match(_TO_SCALARS, at)
        return access["before"] + str(max(size, int(access["align"])) if among_others else access["align"])

    return _SCALAR_ACCESS.sub(aligned, function)


def _mark_copies(ir: str) -> str:
    calls = 0
    names = 0
    among_scalars: set[str] = set()

    def in_function(function: re.Match[str]) -> str:
        nonlocal among_scalars
        among_scalars = set(_AMONG_SCALARS.findall(function[0]))
        return _COPY.sub(marked, function[0])

    def marked(copy: re.Match[str]) -> str:
        nonlocal calls, names
        size, to_align, from_align = int(copy["bytes"]), int(copy["to_align"]), int(copy["from_align"])
        # What hangs behind the call is its line, and notes of which a load knows nothing.
        place = re.match(r"(?:, !dbg !\d+)?", copy["debug"])
        line = place[0] if place else ""
        # The side that knows more tells how the type must be aligned; the other may be a cast, such as
        # `*(float4*)&tile[4 * i]`, of which the compiler knows what it knows of `tile`.
        if size in _WIDTHS and max(to_align, from_align) >= size:
            names += 1
            return (
                f"  %emu.copy.{names} = load i{8 * size}, ptr {copy['from_']}, align {size}{line}\n"
                f"  store i{8 * size} %emu.copy.{names}, ptr {copy['to']}, align {size}{line}"
            )
        if {copy["to"], copy["from_"]} & among_scalars:
            return copy[0]  # casts on both sides: nobody knows the type, and the address decides
        calls += 1
        return (
            f"  call void @emu_check_copy(ptr {copy['to']}, i64 {to_align}, ptr {copy['from_']}, "
            f"i64 {from_align}, i64 {size}){line}\n{copy[0]}"
        )

    out = FUNCTION.sub(in_function, ir)
    return out + "\ndeclare void @emu_check_copy(ptr, i64, ptr, i64, i64)\n" if calls else out


#: An indirect call that carries the check of its function's type, and what it calls.
_CHECKED_CALL = re.compile(r'^ *(?:%[-\w.$]+ = )?(?:\w+ )*call .*\[ "kcfi"\(', re.M)
_CALLEE = re.compile(
    r"(?P<before>.*?\bcall .*?)"
    r"(?P<callee>[%@][-\w.$]+|\bnull|\b(?:inttoptr|getelementptr)\b[^()]*\((?:[^()]|\([^()]*\))*\))(?=\()"
)


def keep_call_checks(ir: str) -> str:
    """The IR text in which the optimiser cannot know what an indirect call calls: it would take a call of
    an address that it knows for a direct one, and drop the check.

    Raises:
        ValueError: a call in a form that is not known here.
    """
    out: list[str] = []
    for line in ir.split("\n"):
        if _CHECKED_CALL.match(line):
            call = _CALLEE.match(line)
            if call is None:
                raise ValueError(line.strip())
            hidden = f"%emu.callee.{len(out)}"
            out.append(f'  {hidden} = call ptr asm "", "=r,0"(ptr {call["callee"]})')
            line = call["before"] + hidden + line[call.end() :]
        out.append(line)
    return "\n".join(out)


_PLAIN_ACCESS = re.compile(
    r"^ *(?:%[-\w.$]+ = (?P<load>load) (?:volatile )?|store (?:volatile )?)"
    r"(?:i(?P<bits>\d+)|(?P<long>x86_fp80|ppc_fp128))(?: [^,]+)?, ptr (?P<at>.+?), align \d+.*?(?P<line>, !dbg !\d+)?$",
    re.M,
)


def mark_odd_widths(ir: str) -> str:
    """The IR text with a call of ThreadSanitizer's own kind before each load and store of a width, such as that of
    a bit field of 24 bits, for which its pass makes none."""
    found = False

    def marked(access: re.Match[str]) -> str:
        nonlocal found
        size = 10 if access["long"] else (int(access["bits"]) + 7) // 8
        if size in _WIDTHS:
            return access[0]
        found = True
        action = "read" if access["load"] else "write"
        return f"  call void @__tsan_{action}_range(ptr {access['at']}, i64 {size}){access['line'] or ''}\n{access[0]}"

    out = _PLAIN_ACCESS.sub(marked, ir)
    ends = "declare void @__tsan_read_range(ptr, i64)\ndeclare void @__tsan_write_range(ptr, i64)\n"
    return out + "\n" + ends if found else out


#: Kernels have fewer accesses than this, or the rest goes without a number; see RECENT_LIMIT in emulator/recent.h.
_NUMBERS = 4096
#: Each of these costs the compiler some 10 ms.
_INLINED = 16
_TOLD = re.compile(r"call void @__tsan_(read|write)(4|8|16)\(")


def number_accesses(ir: str) -> str:
    """The instrumented IR text with a number for each access of 4, 8 or 16 bytes, and calls that tell it: those
    of emulator/inline_hooks.cpp, the first of which are inlined."""
    numbers = itertools.count()
    declared: set[str] = set()

    def numbered(call: re.Match[str]) -> str:
        number, what = next(numbers), call[1] + call[2]
        if number >= _NUMBERS:
            return call[0]
        callee = f"void @emu_{what}(i32" if number < _INLINED else f"preserve_mostcc void @emu_called_{what}(i32"
        declared.add(f"declare {callee}, ptr)\n")
        return f"call {callee} {number}, "

    out = _TOLD.sub(numbered, ir)
    return out + "\n" + "".join(sorted(declared))
