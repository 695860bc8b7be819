"""Numbers the types of a text's variables, from the debug information in LLVM IR, for a debugger."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.debug_info import CppType, Member
from .kernel_signature import TypeReader

_POINTERS = {"pointer_type": "pointer", "reference_type": "reference", "rvalue_reference_type": "reference"}
_CLASSES = ("structure_type", "class_type", "union_type")


class TypeTable(TypeReader):
    """Reads types, and gives each a number."""

    def __init__(self, nodes: Mapping[str, str]) -> None:
        super().__init__(nodes)
        self._numbers: dict[str, int] = {}
        self._types: list[CppType] = []

    @property
    def types(self) -> tuple[CppType, ...]:
        """The types by their numbers."""
        return tuple(self._types)

    def number(self, node: str) -> int:
        """Return the number of a type, by its node."""
        if node not in self._numbers:
            self._numbers[node] = len(self._types)
            self._types.append(CppType("", 0, "other"))  # a class may have a pointer to itself
            self._types[self._numbers[node]] = self._read(node)
        return self._numbers[node]

    def _read(self, node: str) -> CppType:
        plain, _ = self.resolved(node)
        tag, name, size = self.tag(plain), self.spelling(node), self.bytes(plain)
        base = self.field(plain, "baseType")
        if kind := _POINTERS.get(tag):
            return CppType(name, size, kind, target=self.number(base) if base else -1)
        if tag == "array_type":
            return CppType(name, size, "array", shape=self.shape(plain), target=self.number(base))
        dtype = self.dtype(plain)
        number = dtype.str if dtype is not None and not dtype.names and not dtype.shape else ""
        if tag == "enumeration_type":
            each = self.elements(self.field(plain, "elements"))
            names = tuple((self.field(constant, "name"), int(self.field(constant, "value") or 0)) for constant in each)
            return CppType(name, size, "enumeration", number, names=names)
        if number:
            return CppType(name, size, "number", number)
        if tag in _CLASSES:
            stored = [m for m in self.elements(self.field(plain, "elements")) if self.is_stored(m)]
            return CppType(name, size, "class", members=tuple(map(self._member, stored)))
        return CppType(name, size, "other")

    def _member(self, node: str) -> Member:
        base = self.field(node, "baseType")
        bit = int(self.field(node, "offset") or 0)
        is_part = "DIFlagBitField" in self.field(node, "flags")
        width = int(self.field(node, "size")) if is_part else 0
        return Member(
            "" if self.tag(node) == "inheritance" else self.field(node, "name"), bit, self.number(base), width
        )
