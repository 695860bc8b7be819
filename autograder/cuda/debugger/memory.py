"""The variables of a recorded launch as values: a thread's own, arrays, and what is at an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..core.debug_info import CppType
from ..core.findings import Dim3
from .expressions import Evaluator
from .frames import Frame, Held, variables
from .recording import Recorded
from .replay import Replay
from .values import Types, Value

#: C++'s names of types by numpy's.
_NAMES = {
    "|b1": "bool", "|i1": "signed char", "|u1": "unsigned char", "<i2": "short", "<u2": "unsigned short", "<i4": "int",
    "<u4": "unsigned int", "<i8": "long long", "<u8": "unsigned long long", "<f2": "__half", "<f4": "float",
    "<f8": "double",
}  # fmt: skip


class Memory:
    """Reads the memory of a recorded launch, at its replay's moment."""

    def __init__(self, recorded: Recorded, replay: Replay) -> None:
        assert recorded.trace.debug
        self._recorded, self._replay, self._info = recorded, replay, recorded.trace.debug
        self.types = Types(self._info.types)
        self._array_types = [self._type_of(number) for number in range(len(recorded.trace.arrays))]

    def _type_of(self, number: int) -> CppType:
        """Return an array's type: as the text declares it or its parameter, or by what its elements are."""
        trace, info = self._recorded.trace, self._info
        name, space, shape, item = trace.arrays[number], trace.spaces[number], trace.shapes[number], trace.items[number]
        size = item * prod(shape)
        if space != "global":
            for declared, type_ in info.arrays:
                if declared == name and info.types[type_].bytes == size:
                    return info.types[type_]
        else:
            size = self._recorded.before[number].nbytes
            for variable in info.variables:
                target = info.types[variable.type].target
                if (
                    variable.is_parameter
                    and variable.name == name
                    and target >= 0
                    and info.types[variable.type].kind == "pointer"
                ):
                    element = info.types[target]
                    if element.bytes and size % element.bytes == 0:
                        count = size // element.bytes
                        plain = element.name.removeprefix("const ")
                        return CppType(f"{plain}[{count}]", size, "array", shape=(count,), target=target)
        dtype = trace.dtypes[number]
        spelled = "" if dtype is None else dtype.str
        element = CppType(_NAMES.get(spelled, "struct"), item, "number" if dtype is not None else "other", spelled)
        if not shape:
            return element
        extents = "".join(f"[{n}]" for n in shape)
        return CppType(f"{element.name}{extents}", size, "array", shape=shape, target=self.types.add(element))

    def arrays(self, *spaces: str) -> list[str]:
        """Return the names of the arrays in some spaces that have elements."""
        trace = self._recorded.trace
        each = zip(trace.arrays, trace.spaces, self._array_types, strict=True)
        return [name for name, space, type_ in each if space in spaces and type_.bytes]

    def array(self, name: str, block: int) -> Value | None:
        """Return an array, or what is declared outside of functions; None if there is none of that name."""
        if name not in self._recorded.trace.arrays:
            return None
        number = self._recorded.trace.arrays.index(name)
        raw, known = self._replay.content(number, block)
        return Value(self._array_types[number], raw, known, self._address(number))

    def _address(self, number: int) -> int:
        addresses = self._replay.events.addresses
        return addresses[number] if number < len(addresses) else 0

    def locals(self, block: int, thread: int, frame: Frame) -> list[tuple[str, Value]]:
        """Return the variables in a call of a thread, by name."""
        events = self._replay.thread(block, thread)
        return [
            (held.variable.name, self._value(held)) for held in variables(events, self._replay.at, frame, self._info)
        ]

    def _value(self, held: Held) -> Value:
        return Value(self._info.types[held.variable.type], held.raw, held.known, held.address)

    def name_address(self, block: int, thread: int, around: Sequence[Frame], address: int) -> str:
        """Return what is at an address, such as "&tile[3]" or "&sum"; "" if nothing that is known."""
        for number, name in enumerate(self._recorded.trace.arrays):
            type_ = self._array_types[number]
            offset = address - self._address(number)
            if 0 <= offset < max(type_.bytes, 1) and self._address(number):
                return f"&{name}{self._index(type_, offset)}"
        for frame in around:
            for name, value in self.locals(block, thread, frame):
                if 0 <= address - value.address < len(value.raw) and value.address:
                    return f"&{name}{self._index(value.type, address - value.address)}"
        return ""

    def _index(self, type_: CppType, offset: int) -> str:
        """Return which element of an array lies at an offset, in bytes, into a type."""
        if type_.kind != "array":
            return f" + {offset} bytes" if offset else ""
        element = self.types[type_.target]
        flat, rest = divmod(offset, element.bytes or 1)
        index = "".join(f"[{i}]" for i in np.unravel_index(flat, type_.shape))
        return index + (f" + {rest} bytes" if rest else "")

    def evaluator(self, block: int, thread: int, around: Sequence[Frame], dims: Mapping[str, Dim3]) -> Evaluator:
        """Evaluates expressions in the first of these calls."""

        def look_up(name: str) -> Any:
            if name in dims:
                return dict(zip("xyz", dims[name], strict=True))
            values = dict(self.locals(block, thread, around[0])) if around else {}
            return values[name] if name in values else self.array(name, block)

        def point(address: int, target: int) -> Value | None:
            if target < 0:
                return None
            type_ = self.types[target]
            for number, name in enumerate(self._recorded.trace.arrays):
                start = self._address(number)
                if start and 0 <= address - start < max(self._array_types[number].bytes, 1):
                    whole = self.array(name, block)
                    return whole.part(type_, address - start) if whole else None
            for frame in around:
                for _, value in self.locals(block, thread, frame):
                    if value.address and 0 <= address - value.address < len(value.raw):
                        return value.part(type_, address - value.address)
            return None

        def name_address(address: int) -> str:
            return self.name_address(block, thread, around, address)

        return Evaluator(self.types, look_up, point, name_address)
