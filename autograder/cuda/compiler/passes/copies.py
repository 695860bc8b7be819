"""Makes each copy of a struct checkable for its alignment.

ThreadSanitizer's pass reports a struct copy as a run of bytes: its address and length, but not its required alignment.
So a copy that the hardware does in one access becomes one load and one store, and every other copy gets a call in
front that checks its alignment, and says whether the struct has bytes that need no value. If a struct is copied between
two cast arrays, the IR doesn't even contain its type; then a second compilation provides it, with the type annotations
that an optimizer wants.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..ir import (
    AddressStep,
    Alloca,
    Call,
    Function,
    Instruction,
    Module,
    array_of,
    field,
    location,
    node_elements,
    read_instruction,
)
from ..verifier.layout import Layout, UnknownTypeError
from .casts import is_number

#: Widths of the hardware's loads and stores, in bytes.
_WIDTHS = (1, 2, 4, 8, 16)

#: Function, line and column of a copy in the source. Several copies of a macro's have the same.
Position = tuple[str, int, int]
#: In bytes, by position, of each copy there, in the order of the text.
Alignments = Mapping[Position, Sequence[int]]


@dataclass(frozen=True)
class _Copy:
    call: Call
    to: str
    to_align: int
    from_: str
    from_align: int
    bytes: int

    @property
    def is_one_access(self) -> bool:
        # The side that knows more has the type's alignment; the other may be a cast, such as
        # `*(float4*)&tile[4 * i]`, for which the compiler knows only what it knows of `tile`.
        return self.bytes in _WIDTHS and max(self.to_align, self.from_align) >= self.bytes


def mark_copies(module: Module, alignments: Alignments) -> None:
    """Turn each copy of known alignment into a load and a store, or put a checking call before it.

    Args:
        alignments: for copies whose type is missing from the IR; see `has_untyped_copies`.
    """
    numbers, checked = itertools.count(1), False
    layout = Layout(module)

    def mark(copy: _Copy, among_numbers: set[str], align: int, gaps: bool) -> Iterator[str]:
        nonlocal checked
        line = copy.call.line
        if _is_untyped(copy, among_numbers):
            if align == 1:  # the type needs no more alignment than its members
                yield copy.call.text
                return
            copy = replace(copy, to_align=align, from_align=align)
        if gaps and copy.is_one_access:
            copy = replace(copy, to_align=copy.bytes, from_align=copy.bytes)
        if copy.is_one_access and not gaps:
            name, width = f"%emu.copy.{next(numbers)}", f"i{8 * copy.bytes}"
            yield f"  {name} = load {width}, ptr {copy.from_}, align {copy.bytes}{line}"
            yield f"  store {width} {name}, ptr {copy.to}, align {copy.bytes}{line}"
        else:
            checked = True
            yield (
                f"  call void @emu_check_copy(ptr {copy.to}, i64 {copy.to_align}, ptr {copy.from_}, "
                f"i64 {copy.from_align}, i64 {copy.bytes}, i32 {int(gaps)}){line}"
            )
            yield copy.call.text

    def mark_in(function: Function) -> None:
        among_numbers, with_gaps = _among_numbers(function), _with_gaps(function, layout)
        aligns = iter(_matched(_positions(module, function), alignments))

        def change(instruction: Instruction) -> Iterable[Instruction]:
            align = next(aligns) if _copies(instruction) else 1
            copy = _as_copy(instruction)
            if not copy:
                return (instruction,)
            gaps = not with_gaps.isdisjoint((copy.to, copy.from_))
            return map(read_instruction, mark(copy, among_numbers, align, gaps))

        function.rewrite(change)

    for function in module.functions.values():
        mark_in(function)
    if checked:
        module.declare({"@emu_check_copy": "declare void @emu_check_copy(ptr, i64, ptr, i64, i64, i32)"})


def _with_gaps(function: Function, layout: Layout) -> set[str]:
    """Return the pointers, as far as the IR says what they point to, to structs of which some bytes need no value; none
    in a function that copies nothing."""
    if not any(map(_copies, function.instructions())):
        return set()
    types = {instr.result: instr.type for instr in function.instructions() if isinstance(instr, Alloca)}
    for instr in function.instructions():
        if isinstance(instr, AddressStep):
            shape, element = array_of(instr.type)
            if len(instr.indices) == len(shape) + 1:
                types[instr.result] = element
    structs = {name: type_ for name, type_ in types.items() if type_[0] == "%"}
    known = {type_: _has_gaps(type_, layout) for type_ in set(structs.values())}
    return {name for name, type_ in structs.items() if known[type_]}


def _has_gaps(type_: str, layout: Layout) -> bool:
    try:
        return layout.has_gaps(type_)
    except UnknownTypeError:  # the verifier refuses it, with its line
        return False


def has_untyped_copies(module: Module) -> bool:
    """Return whether a struct is copied between two cast arrays: then only `copied_alignments` knows its type."""
    for function in module.functions.values():
        copies = list(filter(None, map(_as_copy, function.instructions())))
        among_numbers = _among_numbers(function) if copies else set()
        if any(_is_untyped(copy, among_numbers) for copy in copies):
            return True
    return False


def copied_alignments(typed: Module) -> Alignments:
    """Return the alignment of each copied struct; 1 if its type was declared without.

    Args:
        typed: the same text's IR with the newer form of type-based alias analysis, which names the types.
    """
    notes = typed.metadata.values()
    bytes_of = {
        field(note, "identifier"): int(align) // 8
        for note in notes
        if "!DICompositeType(" in note and (align := field(note, "align"))
    }
    out = defaultdict[Position, list[int]](list)
    for function in typed.functions.values():
        copies = filter(_copies, function.instructions())
        for position, call in zip(_positions(typed, function), copies, strict=True):
            name = ""
            if tag := call.attachment("tbaa"):
                # The tag's first element is the type's node, whose first element is the name.
                type_ = node_elements(typed.metadata[node_elements(typed.metadata[tag])[0]])
                name = next((element[2:-1] for element in type_ if element.startswith('!"')), "")
            out[position].append(bytes_of.get(name, 1))
    return out


def _copies(instruction: Instruction) -> bool:
    return isinstance(instruction, Call) and instruction.callee.startswith("@llvm.memcpy.")


def _positions(module: Module, function: Function) -> list[Position]:
    """Return the position of each copy of a function, in the order of its text; line 0 if it has none."""
    copies = filter(_copies, function.instructions())
    return [(function.name, *(location(module.metadata, c.attachment("dbg")) or (0, 0))) for c in copies]


def _matched(positions: Sequence[Position], alignments: Alignments) -> Iterator[int]:
    """Yield the alignment for each of a function's copies. Both compilations have the same ones, in the same order;
    where not, those of a position count as the one that requires least."""
    counts, seen = Counter(positions), Counter[Position]()
    for position in positions:
        known = alignments.get(position, ())
        yield known[seen[position]] if len(known) == counts[position] else min(known, default=1)
        seen[position] += 1


def _as_copy(instruction: Instruction) -> _Copy | None:
    """Return the instruction as a copy of a constant number of bytes; None for any other instruction."""
    if not isinstance(instruction, Call) or instruction.callee != "@llvm.memcpy.p0.p0.i64":
        return None
    to, from_, size, volatile = instruction.arguments
    if not size.value.isdigit() or volatile.value != "false":
        return None
    return _Copy(instruction, to.value, to.align, from_.value, from_.align, int(size.value))


def _among_numbers(function: Function) -> set[str]:
    """Positions in arrays of numbers: a struct copied from or to such a position was cast."""
    steps = (i for i in function.instructions() if isinstance(i, AddressStep))
    return {step.result for step in steps if array_of(step.type)[0] and is_number(array_of(step.type)[1])}


def _is_untyped(copy: _Copy, among_numbers: set[str]) -> bool:
    return not copy.is_one_access and not among_numbers.isdisjoint((copy.to, copy.from_))
