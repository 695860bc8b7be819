"""Arrays of numbers, flat lists in C order, and of records, a column for each field."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import repeat
from types import SimpleNamespace
from typing import Any

from .dtypes import dtype
from .scalars import bool_, generic, pack, rounded, unpack, void

_BOOL, _INT, _FLOAT = dtype("b1"), dtype("i8"), dtype("f8")


class ndarray:
    """An array of `shape` and `dtype`. Its numbers are in a list, in bytes, or in both; records are in columns, which
    are made when they are asked for."""

    flags = SimpleNamespace(c_contiguous=True)

    def __init__(
        self,
        shape: tuple[int, ...],
        kind: dtype,
        values: list[Any] | None = None,
        raw: bytes | None = None,
        columns: Mapping[str, Callable[[], ndarray]] | None = None,
    ) -> None:
        self.shape, self.dtype = shape, kind
        self._values, self._raw = values, raw
        self._makers, self._columns = columns or {}, dict[str, ndarray]()

    # -- its contents

    @property
    def values(self) -> list[Any]:
        """Its numbers as Python's, flat."""
        if self._values is None:
            assert self._raw is not None
            self._values = unpack(self._raw, self.dtype)
        return self._values

    def tobytes(self) -> bytes:
        if self.dtype.fields:
            return b"".join(self[i].tobytes() for i in range(len(self)))
        return self._raw if self._raw is not None else pack(self.values, self.dtype)

    def column(self, field: str) -> ndarray:
        if field not in self._columns:
            self._columns[field] = self._makers[field]()
        return self._columns[field]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def flat(self) -> ndarray:
        return self.reshape(-1)

    @property
    def T(self) -> ndarray:
        rows, width = self.shape
        return ndarray((width, rows), self.dtype, [v for i in range(width) for v in self.values[i::width]])

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        (value,) = self.values
        return bool(value)

    def __int__(self) -> int:
        (value,) = self.values
        return int(value)

    __index__ = __int__

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def tolist(self) -> Any:
        if self.ndim == 1:
            return list(self.values)
        return self.values[0] if not self.shape else [row.tolist() for row in self]

    def item(self) -> Any:
        (value,) = self.values
        return value

    def __repr__(self) -> str:
        return f"array({self.tolist()}, dtype={self.dtype.name})"

    # -- the same contents in another form

    def copy(self) -> ndarray:
        if self.dtype.fields:
            return self._picked(slice(None))
        return ndarray(self.shape, self.dtype, None if self._values is None else list(self._values), self._raw)

    def reshape(self, *shape: Any) -> ndarray:
        wanted = tuple(shape[0] if isinstance(shape[0], tuple | list) else shape)
        if -1 in wanted:
            known = -math.prod(wanted)
            wanted = tuple(self.size // known if n == -1 and known else max(n, 0) for n in wanted)
        assert math.prod(wanted) == self.size, f"{self.shape} does not have the elements of {wanted}"
        return ndarray(wanted, self.dtype, self._values, self._raw)

    def view(self, kind: Any) -> ndarray:
        wanted = dtype(kind)
        last = self.shape[-1] * self.itemsize // wanted.itemsize
        return ndarray((*self.shape[:-1], last), wanted, raw=self.tobytes())

    def astype(self, kind: Any) -> ndarray:
        wanted = dtype(kind)
        if wanted == self.dtype:
            return self.copy()
        make: Callable[[Any], Any] = {"f": float, "b": bool}.get(wanted.kind, int)
        if wanted.code in ("f2", "f4"):
            make = lambda value: rounded(float(value), wanted.code)  # noqa: E731
        return ndarray(self.shape, wanted, list(map(make, self.values)))

    # -- parts of it

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.column(key)
        if isinstance(key, tuple):
            return self._at(key)
        if isinstance(key, ndarray | slice | list):
            return self._picked(key)
        index = operator.index(key)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of bounds for {len(self)} elements")
        index %= len(self)
        if self.ndim > 1:
            width = self.size // len(self)
            return ndarray(self.shape[1:], self.dtype, self.values[index * width : (index + 1) * width])
        if self.dtype.fields:
            return void({name: self.column(name)[index] for name in self.dtype.fields}, self.dtype)
        return self._scalar(index)

    def _scalar(self, flat: int) -> Any:
        number = self.dtype.type(self.values[flat])
        if self._raw is not None and self.dtype.kind == "f":
            number.raw = self._raw[flat * self.itemsize : (flat + 1) * self.itemsize]
        return number

    def _at(self, key: tuple[Any, ...]) -> Any:
        if None in key:  # a new axis
            assert self.ndim == 1 and len(key) == 2, "an axis is added to one dimension"
            return self.reshape((-1, 1) if key[1] is None else (1, -1))
        if len(key) == self.ndim and all(not isinstance(k, slice) for k in key):
            flat = 0
            for index, extent in zip(key, self.shape, strict=True):
                flat = flat * extent + operator.index(index) % extent
            return self._scalar(flat)
        if not key:
            return self._scalar(0) if not self.shape else self
        assert self.ndim == 2 and len(key) == 2 and isinstance(key[1], slice), "rows and a range of columns"
        rows = self._picked(key[0])
        width = rows.shape[1]
        lists = [rows.values[i * width : (i + 1) * width][key[1]] for i in range(len(rows))]
        return ndarray((len(rows), len(range(width)[key[1]])), self.dtype, [v for row in lists for v in row])

    def _picked(self, key: Any) -> ndarray:
        """The elements, rows or records that a range, bools, or indices choose."""
        if isinstance(key, ndarray) and key.dtype.kind == "b" and key.ndim == self.ndim > 1:
            chosen = [v for v, wanted in zip(self.values, key.values, strict=True) if wanted]
            return ndarray((len(chosen),), self.dtype, chosen)
        where, shape = self._where(key)
        if self.dtype.fields:
            of = {name: partial(self._picked_of, name, key) for name in self.dtype.fields}
            return ndarray(shape, self.dtype, columns=of)
        values = self.values
        if self.ndim == 1:
            picked = values[where] if isinstance(where, slice) else [values[i] for i in where]
            return ndarray(shape, self.dtype, picked)
        width = self.size // len(self) if len(self) else 0
        at = range(len(self))[where] if isinstance(where, slice) else where
        rows = (values[i * width : (i + 1) * width] for i in (i % len(self) for i in at))
        return ndarray((*shape, *self.shape[1:]), self.dtype, [v for row in rows for v in row])

    def _picked_of(self, field: str, key: Any) -> ndarray:
        return self.column(field)._picked(key)

    def _where(self, key: Any) -> tuple[slice | list[int], tuple[int, ...]]:
        """The chosen indices, and the shape of what they choose."""
        if isinstance(key, slice):
            start, stop, step = (None if n is None else operator.index(n) for n in (key.start, key.stop, key.step))
            plain = slice(start, stop, step)
            return plain, (len(range(len(self))[plain]),)
        if isinstance(key, ndarray) and key.dtype.kind == "b":
            chosen = [i for i, wanted in enumerate(key.values) if wanted]
            return chosen, (len(chosen),)
        if isinstance(key, ndarray):
            return key.values, key.shape
        return list(map(operator.index, key)), (len(key),)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            column = self.column(key)
            column._values, column._raw = list(_spread(value, column.shape)), None
            return
        assert self.ndim == 1, "elements of one dimension are set"
        if not isinstance(key, ndarray | slice | list):
            self.values[operator.index(key)] = value
        else:
            where, shape = self._where(key)
            at = range(len(self))[where] if isinstance(where, slice) else where
            for i, new in zip(at, _spread(value, shape), strict=True):
                self.values[i] = new
        self._raw = None

    # -- arithmetic, element by element

    def _with(self, other: Any, operation: Callable[[Any, Any], Any], kind: dtype | None, turned: bool = False) -> Any:
        if not isinstance(other, ndarray | int | float):
            return NotImplemented
        mine: Any = self.values
        if isinstance(other, ndarray):
            shape = _common(self.shape, other.shape)
            mine, its = _spread(self, shape), _spread(other, shape)
        else:
            shape, its = self.shape, repeat(bool(other) if isinstance(other, bool | bool_) else other)
        return ndarray(
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

    def __abs__(self) -> ndarray:
        return ndarray(self.shape, self.dtype, list(map(abs, self.values)))

    def __invert__(self) -> ndarray:
        flip = operator.not_ if self.dtype.kind == "b" else operator.invert
        return ndarray(self.shape, self.dtype, list(map(flip, self.values)))

    # -- over all elements, or (any, all) over each row

    def any(self, axis: int | None = None) -> Any:
        return self._over(any, axis)

    def all(self, axis: int | None = None) -> Any:
        return self._over(all, axis)

    def _over(self, judge: Callable[[list[Any]], bool], axis: int | None) -> Any:
        if axis is None:
            return bool_(judge(self.values))
        assert axis == 1 and self.ndim == 2, "rows of two dimensions"
        width = self.shape[1]
        rows = (self.values[i * width : (i + 1) * width] for i in range(len(self)))
        return ndarray((len(self),), _BOOL, list(map(judge, rows)))

    def sum(self) -> Any:
        return (_FLOAT if self.dtype.kind == "f" else _INT).type(sum(self.values))

    def max(self, initial: Any = None) -> Any:
        return self.dtype.type(max(self.values if initial is None else [*self.values, initial]))

    def min(self) -> Any:
        return self.dtype.type(min(self.values))

    def argmin(self) -> int:
        return self.values.index(min(self.values))


def _result(one: ndarray, other: Any) -> dtype:
    kinds = {one.dtype.kind, other.dtype.kind if isinstance(other, ndarray | generic) else dtype(type(other)).kind}
    return _FLOAT if "f" in kinds else _BOOL if kinds == {"b"} else _INT


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    ranks = max(len(one), len(other))
    a, b = ((1,) * (ranks - len(shape)) + shape for shape in (one, other))
    assert all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True)), f"shapes {one} and {other}"
    return tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))


def _spread(value: Any, shape: tuple[int, ...]) -> Any:
    """The elements of `value`, repeated until they have `shape`, flat."""
    if not isinstance(value, ndarray):
        return value if isinstance(value, list) else repeat(value, math.prod(shape))
    if value.shape == shape:
        return value.values
    own = (1,) * (len(shape) - value.ndim) + value.shape
    out = value.values
    for axis in reversed(range(len(shape))):
        if own[axis] != shape[axis]:
            inner = math.prod(shape[axis + 1 :])
            out = [v for i in range(0, len(out), inner) for v in out[i : i + inner] * shape[axis]] if inner else []
    return out
