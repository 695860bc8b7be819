"""Element types, of numbers and of records."""

from __future__ import annotations

import math
import struct
from typing import Any

#: numpy's kind and bytes: its code for struct.
CODES = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d", "S1": "c",
}  # fmt: skip
_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "S": "bytes"}
_OF_PYTHON = {bool: "b1", int: "i8", float: "f8"}
#: The class of a scalar, by kind and bytes; scalars.py fills it.
SCALARS: dict[str, type[Any]] = {}
Text = str  # which `dtype` has an attribute of that name for


class dtype:  # numpy's name
    """`dtype(...)` takes a dtype, a scalar's class, a code such as "<f4", or fields: (name, type) or (name, type,
    shape)."""

    kind: Text
    itemsize: int

    def __init__(self, of: Any) -> None:
        self.fields: dict[Text, tuple[dtype, tuple[int, ...], int]] = {}
        if isinstance(of, dtype):
            self.__dict__.update(of.__dict__)
        elif isinstance(of, list):
            at = 0
            for name, kind, *shape in of:
                field, extent = dtype(kind), tuple(shape[0]) if shape else ()
                self.fields[name] = field, extent, at
                at += field.itemsize * math.prod(extent)
            self.kind, self.itemsize = "V", at
        else:
            code = _OF_PYTHON.get(of) or (of.lstrip("<=|") if isinstance(of, str) else of.dtype.code)
            code = next((c for c in CODES if dtype_name(c) == code), code)
            self.kind, self.itemsize = code[0], int(code[1:])

    @property
    def code(self) -> Text:
        return f"{self.kind}{self.itemsize}"

    @property
    def names(self) -> tuple[Text, ...] | None:
        return tuple(self.fields) or None

    @property
    def name(self) -> Text:
        return f"void{8 * self.itemsize}" if self.fields else dtype_name(self.code)

    @property
    def str(self) -> Text:
        return f"{'|' if self.itemsize == 1 or self.kind == 'V' else '<'}{self.code}"

    @property
    def type(self) -> Any:
        return SCALARS[self.code] if not self.fields else SCALARS["V"]

    isnative = True
    hasobject = False

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __getitem__(self, field: Any) -> dtype:
        return self.fields[field if isinstance(field, Text) else list(self.fields)[field]][0]

    def _key(self) -> Any:
        return self.code, tuple((name, f[0]._key(), *f[1:]) for name, f in self.fields.items())

    def __eq__(self, other: object) -> bool:
        try:
            return bool(self._key() == dtype(other)._key())
        except (AttributeError, KeyError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> Text:
        return self.name

    def __repr__(self) -> Text:
        return f"dtype('{self.name}')"


def dtype_name(code: str) -> str:
    """ "float32" for "f4"."""
    kind, size = _KINDS.get(code[0], "void"), int(code[1:])
    return kind if kind == "bool" else f"{kind}{8 * size}"


class finfo:  # numpy's name
    """`eps` and `max` of a type of floats."""

    def __init__(self, of: Any) -> None:
        kind = dtype(of)
        digits, largest = {2: (10, 65504.0), 4: (23, _float32(0x7F7FFFFF)), 8: (52, 1.7976931348623157e308)}[
            kind.itemsize
        ]
        self.eps, self.max = 2.0**-digits, largest


class iinfo:  # numpy's name
    """`min` and `max` of a type of ints."""

    def __init__(self, of: Any) -> None:
        kind = dtype(of)
        bits = 8 * kind.itemsize
        self.min: int = 0 if kind.kind == "u" else -(2 ** (bits - 1))
        self.max: int = self.min + 2**bits - 1


def _float32(bits: int) -> float:
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
