"""Makes the arrays that a thread declares for itself watchable, in LLVM IR before it is instrumented.

The compiler knows where such an array begins and ends, and the runtime does not: so each gets a margin
on both sides, a call where it is declared (from there on it holds nothing) and a call where its function
returns. Being handed to a call, it also keeps its accesses visible to ThreadSanitizer's pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: Local memory of one thread, in bytes (CUDA C++ Programming Guide, "Technical Specifications per Compute
#: Capability").
MAX_LOCAL = 512 * 1024
#: Bytes in front of an array and behind it that nobody may touch; a multiple of every alignment.
MARGIN = 64

#: One function of the IR, from `define` to its closing brace.
FUNCTION = re.compile(r"^define .*?^}$", re.M | re.S)
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = \{(.*)\}$", re.M)
_ALLOCA = re.compile(r"^  (?P<name>%[-\w.$]+) = alloca (?P<type>\[.*\]), align (?P<align>\d+)$", re.M)
_DECLARE = re.compile(r"^ *#dbg_declare\(ptr (?P<name>%[-\w.$]+), (?P<variable>!\d+), .*?(?P<place>!\d+)\)$")
_SCALARS = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8}


class LocalArrayTooLargeError(Exception):
    """No thread can have the array `name`, of `bytes` bytes."""

    def __init__(self, name: str, bytes_: int) -> None:
        super().__init__(name, bytes_)
        self.name, self.bytes = name, bytes_


@dataclass(frozen=True)
class _Array:
    type: str
    align: int
    shape: tuple[int, ...]
    item: int

    @property
    def bytes(self) -> int:
        out = self.item
        for extent in self.shape:
            out *= extent
        return out


def watch_local_arrays(ir: str) -> str:
    """The IR text with its local arrays of numbers and pointers made watchable.

    An array of structs stays as it is: the gaps between a struct's members hold nothing and are copied
    all the same.

    Raises:
        LocalArrayTooLargeError: no GPU has room for one of them.
    """
    instrumented = instrumented_functions(ir)
    names = dict(re.findall(r'^(!\d+) = !DILocalVariable\(name: "(\w+)"', ir, re.M))
    strings: list[str] = []

    def watched(function: re.Match[str]) -> str:
        if function[0].partition("\n")[0] not in instrumented:
            return function[0]
        return "\n".join(_watched(function[0], names, strings))

    out = FUNCTION.sub(watched, ir)
    if not strings:
        return ir
    # Before the first function, where the other constants stand.
    at = out.index("\ndefine ") + 1
    return out[:at] + "".join(strings) + "\n" + out[at:] + _DECLARATIONS


def instrumented_functions(ir: str) -> set[str]:
    """The first lines of the functions whose accesses are watched. The prelude's own are not, and what they do with
    their variables is nobody's business."""
    groups = {number for number, words in _ATTRIBUTES.findall(ir) if "sanitize_thread" in words.split()}
    heads = (function[0].partition("\n")[0] for function in FUNCTION.finditer(ir))
    return {head for head in heads if (group := re.search(r"\) (?:[a-z_]+ )*#(\d+) ", head)) and group[1] in groups}


_DECLARATIONS = """
declare void @emu_local_begin(ptr, i64, ptr)
declare void @emu_local_end(ptr, i64)
"""


def _watched(function: str, names: dict[str, str], strings: list[str]) -> Iterator[str]:
    arrays = {a["name"]: _Array(a["type"], int(a["align"]), *_extents(a["type"])) for a in _ALLOCA.finditer(function)}
    arrays = {name: array for name, array in arrays.items() if array.item}
    begin = ""
    for line in function.split("\n"):
        if begin and "!annotation" not in line:  # behind the compiler's own first values, which are none
            yield begin
            begin = ""
        alloca = _ALLOCA.match(line)
        if alloca and alloca["name"] in arrays:
            array, name = arrays[alloca["name"]], alloca["name"]
            whole = f"{name}.whole" if not name[1:].isdigit() else f"%emu.whole.{name[1:]}"
            yield f"  {whole} = alloca [{array.bytes + 2 * MARGIN} x i8], align {max(array.align, 16)}"
            yield f"  {name} = getelementptr i8, ptr {whole}, i64 {MARGIN}"
            continue
        if line.startswith("  ret ") and arrays:
            place = re.search(r", !dbg !\d+$", line)
            for name, array in arrays.items():
                yield f"  call void @emu_local_end(ptr {name}, i64 {array.bytes}){place[0] if place else ''}"
        yield line
        declared = _DECLARE.match(line)
        if declared and declared["name"] in arrays and declared["variable"] in names:
            array = arrays[declared["name"]]
            if array.bytes > MAX_LOCAL:
                raise LocalArrayTooLargeError(names[declared["variable"]], array.bytes)
            text = f"{names[declared['variable']]}:{','.join(map(str, array.shape))}:{array.item}"
            strings.append(f'@emu.local.{len(strings)} = private constant [{len(text) + 1} x i8] c"{text}\\00"\n')
            begin = (
                f"  call void @emu_local_begin(ptr {declared['name']}, i64 {array.bytes}, "
                f"ptr @emu.local.{len(strings) - 1}), !dbg {declared['place']}"
            )


def _extents(kind: str) -> tuple[tuple[int, ...], int]:
    """The extents of an array type and the bytes of one element; 0 bytes where it is no array of scalars."""
    shape = []
    while nested := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
        shape.append(int(nested[1]))
        kind = nested[2]
    return tuple(shape), _SCALARS.get(kind, 0)
