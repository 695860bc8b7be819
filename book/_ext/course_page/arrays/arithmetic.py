"""What is computed of arrays element by element, and over all elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import repeat
from typing import Any, Self

from .dtypes import dtype as Kind
from .scalars import bool_, generic

_BOOL, _INT, _FLOAT = Kind("b1"), Kind("i8"), Kind("f8")


class Arithmetic:
    """The operators of an array; `ndarray` has its contents."""

    shape: tuple[int, ...]
    dtype: Kind

    def __init__(self, shape: tuple[int, ...], kind: Kind, values: list[Any]) -> None:
        raise NotImplementedError

    @property
    def values(self) -> list[Any]:
        """Its numbers as Python's, flat."""
        raise NotImplementedError

    def _with(self, other: Any, operation: Callable[[Any, Any], Any], kind: Kind | None, turned: bool = False) -> Any:
        if not isinstance(other, Arithmetic | int | float):
            return NotImplemented
        mine: Any = self.values
        if isinstance(other, Arithmetic):
            shape = _common(self.shape, other.shape)
            mine, its = spread(self, shape), spread(other, shape)
        else:
            shape, its = self.shape, repeat(bool(other) if isinstance(other, bool | bool_) else other)
        return type(self)(
            shape, kind or _result(self, other), list(map(operation, *((its, mine) if turned else (mine, its))))
        )

    def __eq__(self, other: object) -> Any:
        return self._with(other, operator.eq, _BOOL)

    def __ne__(self, other: object) -> Any:
        return self._with(other, operator.ne, _BOOL)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, operator.lt, _BOOL)

    def __le__(self, other: Any) -> Any:
        return self._with(other, operator.le, _BOOL)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, operator.gt, _BOOL)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, operator.ge, _BOOL)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Any) -> Any:
        return self._with(other, operator.and_, None)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return self._with(other, operator.or_, None)

    __ror__ = __or__

    def __add__(self, other: Any) -> Any:
        return self._with(other, operator.add, None)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, operator.sub, None)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, operator.sub, None, turned=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, operator.mul, None)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, operator.floordiv, None)

    def __mod__(self, other: Any) -> Any:
        return self._with(other, operator.mod, None)

    def __lshift__(self, other: Any) -> Any:
        return self._with(other, operator.lshift, None)

    def __abs__(self) -> Self:
        return type(self)(self.shape, self.dtype, list(map(abs, self.values)))

    def __invert__(self) -> Self:
        flip = operator.not_ if self.dtype.kind == "b" else operator.invert
        return type(self)(self.shape, self.dtype, list(map(flip, self.values)))

    # -- over all elements, or (any, all) over each row

    def any(self, axis: int | None = None) -> Any:
        return self._over(any, axis)

    def all(self, axis: int | None = None) -> Any:
        return self._over(all, axis)

    def _over(self, judge: Callable[[list[Any]], bool], axis: int | None) -> Any:
        if axis is None:
            return bool_(judge(self.values))
        assert axis == 1 and len(self.shape) == 2, "rows of two dimensions"
        width = self.shape[1]
        rows = (self.values[i * width : (i + 1) * width] for i in range(self.shape[0]))
        return type(self)((self.shape[0],), _BOOL, list(map(judge, rows)))

    def sum(self) -> Any:
        return (_FLOAT if self.dtype.kind == "f" else _INT).type(sum(self.values))

    def max(self, initial: Any = None) -> Any:
        return self.dtype.type(max(self.values if initial is None else [*self.values, initial]))

    def min(self) -> Any:
        return self.dtype.type(min(self.values))

    def argmin(self) -> int:
        return self.values.index(min(self.values))


def _result(left: Arithmetic, other: Any) -> Kind:
    kinds = {left.dtype.kind, other.dtype.kind if isinstance(other, Arithmetic | generic) else Kind(type(other)).kind}
    return _FLOAT if "f" in kinds else _BOOL if kinds == {"b"} else _INT


def _common(left: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    ranks = max(len(left), len(other))
    a, b = ((1,) * (ranks - len(shape)) + shape for shape in (left, other))
    assert all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True)), f"shapes {left} and {other}"
    return tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))


def spread(value: Any, shape: tuple[int, ...]) -> Any:
    """Return the elements of `value`, repeated until they have `shape`, flat."""
    if not isinstance(value, Arithmetic):
        return value if isinstance(value, list) else repeat(value, math.prod(shape))
    if value.shape == shape:
        return value.values
    extents = (1,) * (len(shape) - len(value.shape)) + value.shape
    out = value.values
    for axis in reversed(range(len(shape))):
        if extents[axis] != shape[axis]:
            inner = math.prod(shape[axis + 1 :])
            out = [v for i in range(0, len(out), inner) for v in out[i : i + inner] * shape[axis]] if inner else []
    return out
