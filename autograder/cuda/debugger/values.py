"""Values of C++: their parts, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..core.debug_info import CppType, Member

UNSET = "not set yet"
#: How many parts of a value its text has.
_SHOWN = 16


class Types:
    """Types by their numbers: those of the text's variables, and more."""

    def __init__(self, types: Sequence[CppType]) -> None:
        self._types = [*types]

    def __getitem__(self, number: int) -> CppType:
        return self._types[number]

    def add(self, type_: CppType) -> int:
        """Return the number of another type."""
        if type_ not in self._types:
            self._types.append(type_)
        return self._types.index(type_)


@dataclass(frozen=True)
class Value:
    """A value in memory: its bytes, and which of them were ever written. `address` is 0 if it is nowhere."""

    type: CppType
    raw: np.ndarray
    known: np.ndarray
    address: int = 0

    def part(self, type_: CppType, offset: int) -> Value:
        """Return the value of a type at an offset, in bytes, into this one."""
        bytes_ = slice(offset, offset + type_.bytes)
        return Value(type_, self.raw[bytes_], self.known[bytes_], self.address + offset if self.address else 0)

    def count(self) -> int:
        """Return how many elements an array has, or members a class."""
        return self.type.shape[0] if self.type.kind == "array" and self.type.shape else len(self.type.members)

    def parts(self, types: Types, start: int = 0, count: int | None = None) -> Iterator[tuple[str, Value]]:
        """Its elements or members, from one on, with what follows its name to name them; a base class, and a member
        without a name, with its type."""
        end = self.count() if count is None else min(start + count, self.count())
        if self.type.kind == "array":
            element = element_type(self.type, types)
            for i in range(start, end):
                yield f"[{i}]", self.part(element, i * element.bytes)
        else:
            for member in self.type.members[start:end]:
                type_ = types[member.type]
                yield f".{member.name}" if member.name else type_.name, self._member(member, type_)

    def _member(self, member: Member, type_: CppType) -> Value:
        if not member.width:
            return self.part(type_, member.bit // 8)
        known = self.known[member.bit // 8 : (member.bit + member.width + 7) // 8].all()
        number = int.from_bytes(self.raw.tobytes(), "little") >> member.bit & (1 << member.width) - 1
        if "i" in type_.dtype and number >> member.width - 1:
            number -= 1 << member.width
        content = (number % (1 << 8 * type_.bytes)).to_bytes(type_.bytes, "little")
        return Value(type_, np.frombuffer(content, np.uint8), np.full(type_.bytes, known))

    def number(self) -> Any:
        """Return a number as Python's; None if it is none, or is not set yet."""
        if self.type.kind not in ("number", "enumeration") or not self.known.all() or len(self.raw) != self.type.bytes:
            return None
        return self.raw.view(self.type.dtype)[0].item()

    def pointer(self) -> int | None:
        """Return where a pointer points to; None if it is none, or is not set yet."""
        is_set = self.type.kind in ("pointer", "reference") and self.known.all() and len(self.raw) == 8
        return int(self.raw.view(np.uint64)[0]) if is_set else None


def element_type(array: CppType, types: Types) -> CppType:
    """Return the type of an array's elements, which may be arrays."""
    inner = types[array.target]
    if len(array.shape) < 2:
        return inner
    rest = array.shape[1:]
    extents = "".join(f"[{n}]" for n in rest)
    return CppType(f"{inner.name}{extents}", prod(rest) * inner.bytes, "array", shape=rest, target=array.target)


def shown(value: Value, types: Types, name_address: Callable[[int], str]) -> str:
    """Return a value as C++ would write it; `name_address` says what is at an address, "" if nothing is."""
    type_ = value.type
    if len(value.raw) < type_.bytes:
        return "outside of its array"
    if type_.kind == "other":
        return "{...}"
    if not value.known.any():
        return UNSET
    if type_.kind in ("array", "class"):
        parts = []
        for name, part in value.parts(types, 0, _SHOWN):
            text = shown(part, types, name_address)
            parts.append(text if name.startswith("[") else f"{name.removeprefix('.')} = {text}")
        return "{" + ", ".join([*parts, *["..."] * (value.count() > _SHOWN)]) + "}"
    if not value.known.all():
        return UNSET
    if type_.kind in ("pointer", "reference"):
        at = value.pointer() or 0
        named = name_address(at)
        return f"{at:#x}{named and f' ({named})'}" if at else "nullptr"
    if type_.kind == "enumeration":
        number = value.number()
        return next((name for name, each in type_.names if each == number), str(number))
    return number_text(value.number(), type_)


def number_text(number: Any, type_: CppType | None = None) -> str:
    """Return a number as C++ would write it."""
    if isinstance(number, bool):
        return str(number).lower()
    if isinstance(number, float):
        shortest = str(np.dtype(type_.dtype).type(number)) if type_ and type_.dtype else str(number)
        return shortest.removesuffix(".0")
    is_letter = (
        type_ and type_.name.removeprefix("const ") in ("char", "signed char", "unsigned char") and 32 <= number < 127
    )
    return f"{number} '{chr(number)}'" if is_letter else str(number)
