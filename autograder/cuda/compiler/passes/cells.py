"""What of a function's variables is set or not as a whole: numbers and pointers, and those of its structs' members
that are some, if nobody else can reach the variable.

A struct's arrays, unions and bit-fields are left out: where an index leads is known only at run time, and the others
share bytes. So is a struct whose address goes anywhere, as to a constructor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..ir import (
    AddressStep,
    Alloca,
    Call,
    DebugRecord,
    Function,
    Instruction,
    Load,
    Module,
    Store,
    UnreadableError,
    field,
    node_elements,
    variables,
)
from ..verifier.layout import Layout, UnknownTypeError
from ..verifier.rules import is_in_text
from .first_values import COPIES, FILL, is_no_use

#: Types of numbers and pointers, and their bytes.
SCALARS = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8}
_OTHER_NAMES = ("DW_TAG_typedef", "DW_TAG_const_type")
_CLASSES = ("DW_TAG_structure_type", "DW_TAG_class_type")
_POINTERS = ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type")
#: How values begin that `aggregates.py` passes structs by.
_PASSED = "%emu."


def is_fill(instruction: Instruction) -> bool:
    """Return whether this is the compiler's fill of a variable without a value."""
    return isinstance(instruction, Store | Call) and "!annotation" in instruction.attachments


def private_variables(function: Function) -> dict[str, Alloca]:
    """Return the function's numbers and pointers that nothing else can reach, by their names in the IR."""
    private = {
        instr.result: instr
        for instr in function.blocks[0].instructions
        if isinstance(instr, Alloca) and not instr.count and instr.type in SCALARS
    }
    for instr in function.instructions():
        if (
            (isinstance(instr, Load) and not instr.volatile)
            or isinstance(instr, DebugRecord | Alloca)
            or is_no_use(instr)
        ):
            continue
        if isinstance(instr, Store) and not instr.volatile:
            private.pop(instr.value.value, None)
        else:
            for name in variables(instr.text):
                private.pop(name, None)
    return private


@dataclass(frozen=True)
class Cell:
    """A part of a variable that is set or not: its name in the source, as `p.x`, and where it begins in the
    variable, in bytes."""

    name: str
    offset: int
    bytes: int


class Cells:
    """The cells of one function, each by a key that can be a part of a name in the IR."""

    def __init__(self, function: Function, module: Module, layout: Layout) -> None:
        self._function, self._module, self._layout = function, module, layout
        self._names = {
            record.pointer.value: (field(module.metadata[record.variable], "name"), record.variable)
            for record in reversed(list(function.instructions()))  # the first is of the whole, others of its parts
            if isinstance(record, DebugRecord)
        }
        private = private_variables(function)
        self.known = {
            name: Cell(self._names[name][0], 0, SCALARS[alloca.type])
            for name, alloca in private.items()
            if name in self._names  # not in a library's function that is inlined: its lines are the caller's
        }
        self._places = self._reached()
        structs = {struct for struct, _ in self._places.values()}
        self.known |= {_key(struct, cell.offset): cell for struct in structs for cell in self._members[struct]}

    def loaded(self, load: Load) -> str:
        """Return the cell that a load gets; empty for none."""
        is_step = load.pointer.value not in self._members  # else it is a copy of the struct
        return self._at(load.pointer.value, load.type) if is_step and not load.result.startswith(_PASSED) else ""

    def stored(self, store: Store) -> str:
        """Return the cell that a store changes alone; empty for none."""
        return self._at(store.pointer.value, store.type)

    def changed(self, instr: Instruction) -> Iterator[tuple[str, str]]:
        """Yield the cells that an instruction sets; and for each, the cell that it copies, or "" for a value."""
        if isinstance(instr, Store):
            if key := self.stored(instr):
                yield key, ""
            elif instr.pointer.value in self._places:
                yield from ((key, "") for key in self._within(instr.pointer.value, self._layout.size(instr.type)))
        elif isinstance(instr, Call) and instr.callee in (FILL, *COPIES) and instr.arguments[0].value in self._places:
            to, source, size = (argument.value for argument in instr.arguments[:3])
            (_, start), (struct, from_) = (self._places.get(place, ("", -1)) for place in (to, source))
            for key in self._within(to, int(size)):
                copied = _key(struct, self.known[key].offset - start + from_) if from_ >= 0 else ""
                is_same = copied in self.known and self.known[copied].bytes == self.known[key].bytes
                yield key, copied if is_same else ""

    def _at(self, pointer: str, type_: str) -> str:
        key = pointer
        if pointer in self._places:
            struct, offset = self._places[pointer]
            key = _key(struct, offset)
        return key if key in self.known and SCALARS.get(type_) == self.known[key].bytes else ""

    def _within(self, pointer: str, size: int) -> Iterator[str]:
        """Yield the members, some of whose bytes are among those at a pointer."""
        struct, offset = self._places.get(pointer, ("", -1))
        for cell in self._members.get(struct, ()):
            if 0 <= offset < cell.offset + cell.bytes and cell.offset < offset + size:
                yield _key(struct, cell.offset)

    @cached_property
    def _members(self) -> dict[str, list[Cell]]:
        """The members of the named structs, by the names of these in the IR."""
        return {
            instr.result: list(self._members_of(field(self._module.metadata[record], "type"), name, 0))
            for instr in self._function.blocks[0].instructions
            if isinstance(instr, Alloca) and not instr.count and instr.type.startswith("%")
            for name, record in [self._names.get(instr.result, ("", ""))]
            if name
        }

    def _members_of(self, type_: str, name: str, offset: int) -> Iterator[Cell]:
        node = self._module.metadata.get(type_, "")
        tag, size = field(node, "tag"), int(field(node, "size") or 0) // 8
        if tag in _OTHER_NAMES:
            yield from self._members_of(field(node, "baseType"), name, offset)
        elif tag in _CLASSES:
            for element in node_elements(self._module.metadata.get(field(node, "elements"), "!{}")):
                member = self._module.metadata.get(element, "")
                flags = field(member, "flags")
                inner = f"{name}.{field(member, 'name')}"
                if field(member, "tag") == "DW_TAG_inheritance":
                    inner = name
                elif field(member, "tag") != "DW_TAG_member" or not field(member, "name"):
                    continue
                if "DIFlagBitField" in flags or "DIFlagStaticMember" in flags:
                    continue
                at = offset + int(field(member, "offset") or 0) // 8
                yield from self._members_of(field(member, "baseType"), inner, at)
        elif tag in _POINTERS or tag == "DW_TAG_enumeration_type" or "!DIBasicType(" in node:
            yield Cell(name, offset, size)

    def _reached(self) -> dict[str, tuple[str, int]]:
        """Addresses in structs that nobody else can reach, by their names in the IR: the struct, and how far in it; -1
        for an element of an array there, whose index is not known. (What a library does is not judged.)"""
        is_of_text = is_in_text(self._function.debug, self._module.metadata)
        places = {struct: (struct, 0) for struct in self._members} if is_of_text else {}
        lent = set[str]()
        for instr in self._function.instructions() if places else ():
            if isinstance(instr, DebugRecord | Alloca) or is_no_use(instr):
                continue
            if isinstance(instr, AddressStep) and instr.base.value in places:
                struct, offset = places[instr.base.value]
                step = self._layout.step(instr)
                places[instr.result] = (struct, -1 if offset < 0 or step is None else offset + step)
                if step is None and not instr.type.startswith("["):
                    lent.add(struct)
            elif not self._is_of_struct(instr, places):
                lent |= {places[name][0] for name in variables(instr.text) & places.keys()}
        return {name: place for name, place in places.items() if place[0] not in lent}

    def _is_of_struct(self, instr: Instruction, places: dict[str, tuple[str, int]]) -> bool:
        """Return whether an instruction only uses what is at an address."""
        try:
            if isinstance(instr, Store):
                return not instr.volatile and instr.value.value not in places and self._layout.size(instr.type) > 0
        except (UnknownTypeError, UnreadableError):
            return False
        if isinstance(instr, Load):
            return not instr.volatile
        return isinstance(instr, Call) and instr.callee in (FILL, *COPIES) and instr.arguments[2].value.isdigit()


def _key(struct: str, offset: int) -> str:
    return f"{struct}.member.{offset}"
