"""Prepares LLVM IR for the emulator.

Every shared and every constant array gets a section of its own, so that the linker can put a gap
behind each. And for ThreadSanitizer's pass, which tells the runtime of every load and store:
the pass tells of a struct's copy as of a run of bytes: where it is, how long it is, and not how it must
be aligned. So a copy that the hardware does in one access becomes one load and one store, and before
every other one stands a call that checks the alignment. Of a number that is read from, or written to, an array of
smaller elements, the compiler knows only how these are aligned; the hardware wants it aligned as its own type is.
Of a struct that is copied from one cast array to another, the IR does not even say the type: another one does, made
with the notes on types that an optimizer wants.
Behind the pass, accesses get numbers, so that the runtime finds at once what it knows of each.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

from .local_arrays import FUNCTION, watch_local_arrays
from .loops import loop_depths

_SECTION = re.compile(r'section "(\.bss\.emu_shared|\.emu_constant)\d*"')
#: A constant array that is const, too, and shared memory outside of a function, which the compiler takes for
#: const since nothing initializes it: of the reads of what cannot change, ThreadSanitizer's pass does not tell.
_CONST_ARRAY = re.compile(r'^(@[^\n]* )constant( [^\n]*section "(?:\.emu_constant|\.bss\.emu_shared))', re.M)
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
#: More than any type's, in bytes.
_MAX_ALIGNMENT = 1 << 30
#: The widths, in bytes, of the hardware's loads and stores.
_WIDTHS = (1, 2, 4, 8, 16)


#: A copy's line and column.
Place = tuple[str, str]


def prepare_ir(ir: str, alignments: Mapping[Place, int]) -> str:
    """The IR text with a section for each array and each copy of known alignment made checkable.

    Args:
        alignments: of copies whose type the IR does not say, in bytes; see `has_untyped_copies`.
    """
    numbers = itertools.count()
    ir = FUNCTION.sub(lambda function: _align_casts(function[0]), watch_local_arrays(ir))
    ir = _SECTION.sub(lambda found: f'section "{found[1]}.{next(numbers)}"', _CONST_ARRAY.sub(r"\1global\2", ir))
    return _mark_copies(ir, alignments)


def has_untyped_copies(ir: str) -> bool:
    """Whether a struct is copied from one cast array to another: then only `copied_alignments` knows its type."""
    return any(
        _is_untyped(copy, set(_AMONG_SCALARS.findall(function)))
        for function in FUNCTION.findall(ir)
        for copy in _COPY.finditer(function)
    )


def copied_alignments(typed_ir: str) -> dict[Place, int]:
    """How each struct that is copied must be aligned, in bytes, where its type was declared with an alignment.

    Args:
        typed_ir: the same text's IR with type-based alias analysis in its newer form, which names the types.
    """
    notes = dict(re.findall(r"^(!\d+) = (?:distinct )?(.*)$", typed_ir, re.M))
    declared = re.findall(r'DICompositeType\(.*, align: (\d+),.* identifier: "([^"]+)"', typed_ir)
    bytes_of = {identifier: int(bits) // 8 for bits, identifier in declared}
    out: dict[Place, int] = {}
    for at, tag in re.findall(r"@llvm\.memcpy\..* !dbg (!\d+), !tbaa (!\d+)", typed_ir):
        name = re.search(r'!"([^"]+)"', notes[notes[tag][2:].partition(",")[0]])
        place = _place(notes[at])
        if name and place:
            out[place] = min(out.get(place, _MAX_ALIGNMENT), bytes_of.get(name[1], 1))
    return out


def _place(note: str) -> Place | None:
    found = re.match(r"!DILocation\(line: (\d+), column: (\d+)", note)
    return (found[1], found[2]) if found else None


def _is_untyped(copy: re.Match[str], among_scalars: set[str]) -> bool:
    size, most = int(copy["bytes"]), max(int(copy["to_align"]), int(copy["from_align"]))
    return (size not in _WIDTHS or most < size) and bool({copy["to"], copy["from_"]} & among_scalars)


def _align_casts(function: str) -> str:
    """The function with every number in an array of others aligned as its own type is."""
    casts = set(_CAST.findall(function))

    def aligned(access: re.Match[str]) -> str:
        at, size = access["at"], _SIZES[access["type"]]
        among_others = at in casts or re.match(_TO_SCALARS, at)
        return access["before"] + str(max(size, int(access["align"])) if among_others else access["align"])

    return _SCALAR_ACCESS.sub(aligned, function)


def _mark_copies(ir: str, alignments: Mapping[Place, int]) -> str:
    notes = dict(re.findall(r"^(!\d+) = (!DILocation.*)$", ir, re.M)) if alignments else {}
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
        if _is_untyped(copy, among_scalars):
            align = alignments.get(_place(notes.get(line.rpartition(" ")[2], "")) or ("", ""), 1)
            if align == 1:
                return copy[0]  # its type asks for nothing beyond what its members do
            to_align = from_align = align
        # The side that knows more tells how the type must be aligned; the other may be a cast, such as
        # `*(float4*)&tile[4 * i]`, of which the compiler knows what it knows of `tile`.
        if size in _WIDTHS and max(to_align, from_align) >= size:
            names += 1
            return (
                f"  %emu.copy.{names} = load i{8 * size}, ptr {copy['from_']}, align {size}{line}\n"
                f"  store i{8 * size} %emu.copy.{names}, ptr {copy['to']}, align {size}{line}"
            )
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
    """The IR text in which the optimizer cannot know what an indirect call calls: it would take a call of
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


def _count(accesses: int) -> str:
    return f"\n@emu_accesses = constant i32 {accesses}\n"


#: What stands behind the IR text of a kernel whose accesses have no numbers.
NO_NUMBERS = _count(0)


def number_accesses(ir: str) -> str:
    """The instrumented IR text with a number for each access of 4, 8 or 16 bytes, and calls that tell it: those
    of emulator/inline_hooks.cpp, of which those in the innermost loops are inlined."""
    depths = _loop_depths(ir) if len(_TOLD.findall(ir)) > _INLINED else []
    inlined = set(sorted(range(len(depths)), key=lambda n: -depths[n])[:_INLINED]) if depths else range(_INLINED)
    numbers = itertools.count()
    declared: set[str] = set()

    def numbered(call: re.Match[str]) -> str:
        number, what = next(numbers), call[1] + call[2]
        if number >= _NUMBERS:
            return call[0]
        callee = f"void @emu_{what}(i32" if number in inlined else f"preserve_allcc void @emu_called_{what}(i32"
        declared.add(f"declare {callee}, ptr)\n")
        return f"call {callee} {number}, "

    out = _TOLD.sub(numbered, ir)
    return out + _count(min(next(numbers), _NUMBERS)) + "".join(sorted(declared))


def _loop_depths(ir: str) -> list[int]:
    """In how many loops of its function each access stands, in the order of the text."""
    return [
        depth
        for function in FUNCTION.findall(ir)
        for line, depth in zip(function.split("\n"), loop_depths(function), strict=True)
        if _TOLD.search(line)
    ]
