"""Numbers of one element type. They are Python's own ints and floats, with numpy's names and words."""

from __future__ import annotations

import math
import struct
from array import array
from typing import Any, ClassVar

from .dtypes import CODES, SCALARS, dtype

DType = dtype  # which scalars have an attribute of that name for


class generic:
    dtype: ClassVar[DType]
    #: The bytes that it was read from: a signaling NaN would become a quiet one on its way through a float.
    raw: bytes | None = None

    def tobytes(self) -> bytes:
        """Its bytes, as in memory."""
        return self.raw if self.raw is not None else pack([self.item()], self.dtype)

    def item(self) -> Any:
        """It as Python's own number."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"np.{self.dtype.name}({self})"


class integer(generic):
    def item(self) -> int:
        return int(self)  # type: ignore[call-overload,no-any-return]

    def __str__(self) -> str:
        return int.__repr__(self)


class floating(generic):
    def item(self) -> float:
        return float(self)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return shortest(float(self), self.dtype.code)  # type: ignore[arg-type]


class bool_(generic, int):
    def __new__(cls, value: Any = False) -> bool_:
        return super().__new__(cls, bool(value))

    def item(self) -> bool:
        return bool(self)

    def __str__(self) -> str:
        return str(bool(self))

    def __invert__(self) -> Any:
        return bool_(not self)

    def __and__(self, other: Any) -> Any:
        return bool_(self and other) if isinstance(other, int) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return bool_(self or other) if isinstance(other, int) else NotImplemented

    def any(self) -> bool_:
        return self

    all = any


def _class(code: str) -> type[Any]:
    kind = {"i": integer, "u": integer, "f": floating}[code[0]]
    of = {"i": int, "u": int, "f": float}[code[0]]

    def new(cls: Any, value: Any = 0) -> Any:
        number = of(value)
        return of.__new__(cls, rounded(number, code) if code in ("f2", "f4") else number)

    return type(dtype(code).name, (kind, of), {"__new__": new, "dtype": dtype(code)})


def rounded(value: float, code: str) -> float:
    """The nearest float of a type."""
    try:
        return float(struct.unpack(f"<{CODES[code]}", struct.pack(f"<{CODES[code]}", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


#: From here on, numpy writes a power of ten.
_POSITIONAL = {"f2": 1e3, "f4": 1e6}


def shortest(value: float, code: str) -> str:
    """Return the shortest decimal that reads as the same number of its type, as numpy writes it."""
    if code == "f8" or not math.isfinite(value):
        return repr(value)
    text = next(t for t in (f"{value:.{n}e}" for n in range(10)) if rounded(float(t), code) == value)
    digits, _, power = text.partition("e")
    if value and not 1e-4 <= abs(value) < _POSITIONAL[code]:
        return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}e{int(power):+03d}"
    decimals = max(1, len(digits.lstrip("-").replace(".", "")) - 1 - int(power))
    return f"{float(text):.{decimals}f}"


def pack(values: list[Any], kind: dtype) -> bytes:
    """Numbers as they are in memory."""
    code = CODES[kind.code]
    if code in "?e":
        return struct.pack(f"<{len(values)}{code}", *values)
    return array(code, values).tobytes()


def unpack(raw: bytes, kind: dtype) -> list[Any]:
    """Return what `pack` was called on."""
    code = CODES[kind.code]
    if code == "e":
        return list(struct.unpack(f"<{len(raw) // 2}e", raw))
    return memoryview(raw).cast(code).tolist() if raw else []  # type: ignore[call-overload]


bool_.dtype = dtype("b1")
int8, int16, int32, int64 = map(_class, ("i1", "i2", "i4", "i8"))
uint8, uint16, uint32, uint64 = map(_class, ("u1", "u2", "u4", "u8"))
float16, float32, float64 = map(_class, ("f2", "f4", "f8"))


class void(generic):
    """One record: its fields by name."""

    dtype: DType  # type: ignore[misc]

    def __init__(self, values: dict[str, Any], kind: DType) -> None:
        self._values, self.dtype = values, kind

    def __getitem__(self, field: str) -> Any:
        return self._values[field]

    def __setitem__(self, field: str, value: Any) -> None:
        self._values[field] = value

    def copy(self) -> void:
        return void(dict(self._values), self.dtype)

    def tobytes(self) -> bytes:
        return b"".join(value.tobytes() for value in self._values.values())


SCALARS.update({kind.dtype.code: kind for kind in (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64)})
SCALARS.update({kind.dtype.code: kind for kind in (float16, float32, float64)} | {"V": void})
