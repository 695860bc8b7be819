"""Sizes and offsets of LLVM's types on x86-64, as in the data layout that clang writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ir import AddressStep, Instruction, Module, Operand
from ..ir.operands import end_of_type, read_operands

#: Root and distance in bytes: see `places`.
Place = tuple[str, int]

_EXPRESSION = re.compile(r"getelementptr (?:[a-z]+(?:\([-\d, ]*\))? )*\(")
_SIMPLE = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}
_NAMED = re.compile(r"(%\S+|%\"[^\"]*\") = type (.*)")
_REPEATED = re.compile(r"[\[<](\d+) x (.*)[\]>]$")


#: How deeply types may contain each other. Our own recursion ends somewhat later.
_MAX_DEPTH = 100


class UnknownTypeError(Exception):
    """A type whose size is not known here, and the instruction that has it, if that is known."""

    instruction: Instruction | None = None


class Layout:
    """The layout of one module's types. Sizes, alignments and offsets are in bytes."""

    def __init__(self, module: Module) -> None:
        lines = (item for item in module.items if isinstance(item, str) and item.startswith("%"))
        self._named = {found[1]: found[2] for line in lines if (found := _NAMED.match(line))}
        self._known: dict[str, tuple[int, int]] = {}
        self._structs: dict[str, tuple[list[str], list[int]]] = {}
        self._depth = 0

    def size(self, type_: str) -> int:
        """Return what an array of this type needs for each element.

        Raises:
            UnknownTypeError: for a type that no kernel has.
        """
        return self._size_and_align(type_)[0]

    def accessed(self, type_: str) -> int:
        """Return what a load or a store of this type touches. Raises as `size`."""
        return (int(type_[1:]) + 7) // 8 if re.fullmatch(r"i\d+", type_) else self.size(type_)

    def offset(self, type_: str, indices: Sequence[Operand]) -> int | None:
        """Return how far a `getelementptr` leads; None where that is known only at run time. Raises as `size`."""
        total = 0
        for n, index in enumerate(indices):
            if not re.fullmatch(r"-?\d+", index.value):
                return None
            at = int(index.value)
            if n == 0:
                total += at * self.size(type_)
                continue
            type_ = self._named.get(type_, type_)
            if repeated := _REPEATED.match(type_):
                type_ = repeated[2]
                total += at * self.size(type_)
            else:
                members, offsets = self._members(type_)
                if not 0 <= at < len(members):
                    raise UnknownTypeError(type_)
                type_ = members[at]
                total += offsets[at]
        return total

    def step(self, step: AddressStep) -> int | None:
        """`offset` of an instruction; None also where a type is unknown."""
        try:
            return self.offset(step.type, step.indices)
        except UnknownTypeError:
            return None

    def has_gaps(self, type_: str) -> bool:
        """Return whether it has bytes that may stay without a value: padding (which clang may write as bytes of its
        own), text and the members of a union. Raises as `size`."""
        if "union." in type_:
            return True
        type_ = self._named.get(type_, type_)
        if repeated := _REPEATED.match(type_):
            return repeated[2] == "i8" or self.has_gaps(repeated[2])
        if type_[0] not in "{<":
            return False
        members, _ = self._members(type_)
        return sum(map(self.size, members)) < self.size(type_) or any(map(self.has_gaps, members))

    def place(self, value: str) -> Place:
        """Return the place that a constant names."""
        if step := _EXPRESSION.match(value):
            end = end_of_type(value, step.end())
            base, *indices = read_operands(value, end + 2, ")")[0]
            try:
                distance = self.offset(value[step.end() : end], indices)
            except UnknownTypeError:
                distance = None
            if distance is not None:
                root, at = self.place(base.value)
                return root, at + distance
        return value, 0

    def _size_and_align(self, type_: str) -> tuple[int, int]:
        if type_ not in self._known:
            if self._depth == _MAX_DEPTH:
                raise UnknownTypeError(f"{type_}, too deep in other types")
            self._depth += 1
            try:
                self._known[type_] = self._measured(type_)
            finally:
                self._depth -= 1
        return self._known[type_]

    def _measured(self, type_: str) -> tuple[int, int]:
        if type_ in _SIMPLE:
            return _SIMPLE[type_], _SIMPLE[type_]
        if type_ in self._named:
            return self._size_and_align(self._named[type_])
        if re.fullmatch(r"i\d+", type_):
            align = 1
            while 8 * align < min(int(type_[1:]), 128):
                align *= 2
            return _round_up((int(type_[1:]) + 7) // 8, align), align
        if repeated := _REPEATED.match(type_):
            size, align = self._size_and_align(repeated[2])
            size *= int(repeated[1])
            if type_[0] == "[":
                return size, align
            align = 1 << max(size - 1, 0).bit_length()  # a vector
            return _round_up(size, align), align
        members, offsets = self._members(type_)
        align = max((self._size_and_align(m)[1] for m in members), default=1) if type_[0] == "{" else 1
        end = offsets[-1] + self.size(members[-1]) if members else 0
        return _round_up(end, align), align

    def _members(self, type_: str) -> tuple[list[str], list[int]]:
        """Return the types of a struct's members, and where they begin."""
        if type_ not in self._structs:
            self._structs[type_] = self._laid_out(type_)
        return self._structs[type_]

    def _laid_out(self, type_: str) -> tuple[list[str], list[int]]:
        packed = type_.startswith("<{")
        if not packed and not type_.startswith("{"):
            raise UnknownTypeError(type_)
        at, last = (3, len(type_) - 3) if packed else (2, len(type_) - 2)
        members, offsets, end = [], [], 0
        while at < last:
            after = end_of_type(type_, at)
            size, align = self._size_and_align(type_[at:after])
            end = end if packed else _round_up(end, align)
            members.append(type_[at:after])
            offsets.append(end)
            end += size
            at = after + 2  # a comma and a space
        return members, offsets


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align
