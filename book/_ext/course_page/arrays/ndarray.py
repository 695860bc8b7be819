"""Arrays of numbers, flat lists in C order, and of records, a column for each field."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import compress
from types import SimpleNamespace
from typing import Any

from .arithmetic import Arithmetic, spread
from .dtypes import dtype
from .scalars import pack, rounded, unpack, void


class ndarray(Arithmetic):
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
        """Return the elements, rows or records that a range, bools, or indices choose."""
        if isinstance(key, ndarray) and key.dtype.kind == "b" and key.ndim == self.ndim > 1:
            chosen = list(compress(self.values, key.values))
            return ndarray((len(chosen),), self.dtype, chosen)
        where, shape = self._where(key)
        if self.dtype.fields:
            of = {name: partial(self._picked_of, name, key) for name in self.dtype.fields}
            return ndarray(shape, self.dtype, columns=of)
        values = self.values
        if self.ndim == 1:
            picked = values[where] if isinstance(where, slice) else list(map(values.__getitem__, where))
            return ndarray(shape, self.dtype, picked)
        width = self.size // len(self) if len(self) else 0
        at = range(len(self))[where] if isinstance(where, slice) else where
        rows = (values[i * width : (i + 1) * width] for i in (i % len(self) for i in at))
        return ndarray((*shape, *self.shape[1:]), self.dtype, [v for row in rows for v in row])

    def _picked_of(self, field: str, key: Any) -> ndarray:
        return self.column(field)._picked(key)

    def _where(self, key: Any) -> tuple[slice | list[int], tuple[int, ...]]:
        """Return the chosen indices, and the shape of what they choose."""
        if isinstance(key, slice):
            start, stop, step = (None if n is None else operator.index(n) for n in (key.start, key.stop, key.step))
            plain = slice(start, stop, step)
            return plain, (len(range(len(self))[plain]),)
        if isinstance(key, ndarray) and key.dtype.kind == "b":
            places = list(compress(range(len(self)), key.values))
            return places, (len(places),)
        if isinstance(key, ndarray):
            return key.values, key.shape
        return list(map(operator.index, key)), (len(key),)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            column = self.column(key)
            column._values, column._raw = list(spread(value, column.shape)), None
            return
        assert self.ndim == 1, "elements of one dimension are set"
        if not isinstance(key, ndarray | slice | list):
            self.values[operator.index(key)] = value
        else:
            where, shape = self._where(key)
            at = range(len(self))[where] if isinstance(where, slice) else where
            for i, new in zip(at, spread(value, shape), strict=True):
                self.values[i] = new
        self._raw = None
