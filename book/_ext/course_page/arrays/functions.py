"""Functions that make arrays, or work on whole ones. Each does what numpy's does, for what judging calls it with."""

from __future__ import annotations

import builtins
import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, chain, compress, pairwise
from typing import Any, Literal

from .dtypes import dtype
from .ndarray import ndarray
from .scalars import generic, void

_BOOL, _INT = dtype("b1"), dtype("i8")


# ---- making arrays --------------------------------------------------------------------------------------------------


def array(of: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if isinstance(of, ndarray):
        return of.copy() if dtype is None else of.astype(dtype)
    return _made(of, dtype)


def _made(of: Any, kind: Any) -> ndarray:
    wanted = None if kind is None else dtype(kind)
    if wanted is not None and wanted.fields:
        numbers = dict(zip(wanted.fields, of, strict=True))
        record = void({name: wanted[name].type(number) for name, number in numbers.items()}, wanted)
        return _Record(record)
    extents: list[int] = []
    flat, inner = [of], of
    while isinstance(inner, list | tuple | range | ndarray):
        extents.append(len(inner))
        flat = [value for part in flat for value in part]
        inner = flat[0] if flat else None
    if wanted is None:
        first = flat[0] if flat else 0.0
        wanted = first.dtype if isinstance(first, generic) else dtype(float if any_float(flat) else type(first))
    plain = [value.item() if isinstance(value, generic) else value for value in flat]
    source = ndarray(tuple(extents), dtype("f8"), plain)
    return source.astype(wanted) if wanted.code != "f8" else ndarray(source.shape, wanted, list(map(float, plain)))


class _Record(ndarray):
    """One record, as an array without dimensions."""

    def __init__(self, record: void) -> None:
        super().__init__((), record.dtype)
        self._record = record

    def __getitem__(self, key: Any) -> Any:
        return self._record if key == () else self._record[key]


def any_float(values: Sequence[Any]) -> bool:
    return builtins.any(isinstance(value, float) for value in values)


def asarray(of: Any, dtype: Any = None) -> ndarray:
    return of if isinstance(of, ndarray) and (dtype is None or of.dtype == dtype) else array(of, dtype)


def ascontiguousarray(of: Any, dtype: Any = None) -> ndarray:
    return asarray(of, dtype)


def frombuffer(raw: bytes, dtype: Any) -> ndarray:
    return _read(bytes(raw), dtype)


#: Words of each number of bytes, for `memoryview`.
_WORDS: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


def _read(raw: bytes, of: Any) -> ndarray:
    kind = dtype(of)
    count = len(raw) // kind.itemsize
    if not kind.fields:
        return ndarray((count,), kind, raw=raw)

    def maker(field: dtype, extent: tuple[int, ...], at: int) -> Any:
        length, step = field.itemsize * math.prod(extent), kind.itemsize
        if length in _WORDS and not at % length and not step % length:  # as most columns of a trace, which is long
            words = memoryview(raw).cast(_WORDS[length])
            return lambda: ndarray((count, *extent), field, raw=words[at // length :: step // length].tobytes())
        starts = range(at, len(raw), step)
        return lambda: ndarray((count, *extent), field, raw=b"".join([raw[i : i + length] for i in starts]))

    return ndarray((count,), kind, columns={name: maker(*field) for name, field in kind.fields.items()})


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    return full(shape, 0, dtype)


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    extent = tuple(shape) if isinstance(shape, tuple | list) else (int(shape),)
    return _filled(extent, value, value.dtype if dtype is None else dtype)


def _filled(shape: tuple[int, ...], value: Any, of: Any) -> ndarray:
    kind, count = dtype(of), math.prod(shape)
    if kind.fields:
        each = {name: partial(zeros, (*shape, *extent), field) for name, (field, extent, _) in kind.fields.items()}
        return ndarray(shape, kind, columns=each)
    number = value if isinstance(value, generic) and value.dtype == kind else kind.type(value)
    return ndarray(shape, kind, [number.item()] * count, number.tobytes() * count)


def arange(stop: int) -> ndarray:
    return ndarray((stop,), _INT, list(range(stop)))


# ---- about them -----------------------------------------------------------------------------------------------------


def ndim(of: Any) -> int:
    return asarray(of).ndim


def shape(of: Any) -> tuple[int, ...]:
    return asarray(of).shape


def abs(of: ndarray) -> ndarray:
    return builtins.abs(of)


def equal(left: ndarray, two: ndarray) -> ndarray:
    return left == two  # type: ignore[no-any-return]


def isnan(of: Any) -> Any:
    return _each(math.isnan, of)


def isinf(of: Any) -> Any:
    return _each(math.isinf, of)


def isfinite(of: Any) -> Any:
    return _each(math.isfinite, of)


def _each(judge: Any, of: Any) -> Any:
    return ndarray(of.shape, _BOOL, list(map(judge, of.values))) if isinstance(of, ndarray) else judge(of)


def isin(of: ndarray, wanted: Sequence[int]) -> ndarray:
    known = {int(value) for value in wanted}
    return ndarray(of.shape, _BOOL, [value in known for value in of.values])


def where(chosen: ndarray, left: ndarray, other: Any) -> ndarray:
    return ndarray(left.shape, left.dtype, [a if c else other for c, a in zip(chosen.values, left.values, strict=True)])


def flatnonzero(of: ndarray) -> ndarray:
    return _ints(list(compress(range(of.size), of.values)))


def argwhere(of: ndarray) -> ndarray:
    found = rest = list(compress(range(of.size), of.values))
    columns = []
    for extent in reversed(of.shape):
        columns.append([i % extent for i in rest])
        rest = [i // extent for i in rest]
    return ndarray((len(found), of.ndim), _INT, list(chain.from_iterable(zip(*reversed(columns), strict=True))))


def argmax(of: ndarray) -> int:
    return of.values.index(max(of.values))


def bincount(of: ndarray, minlength: int = 0) -> ndarray:
    counts = [0] * max(minlength, max(of.values, default=-1) + 1)
    for value in of.values:
        counts[value] += 1
    return _ints(counts)


def unravel_index(flat: ndarray | int, shape: tuple[int, ...]) -> tuple[Any, ...]:
    out: list[Any] = []
    rest: Any = flat if isinstance(flat, ndarray) else int(flat)
    for extent in reversed(shape):
        out.append(rest % extent)
        rest = rest // extent
    if _any(rest):
        raise ValueError(f"index {flat} is out of bounds for shape {shape}")
    return tuple(reversed(out))


def ravel_multi_index(index: Sequence[Any], shape: Sequence[int]) -> Any:
    flat: Any = 0
    for at, extent in zip(index, shape, strict=True):
        if _any((at < 0) | (at >= extent)):
            raise ValueError("invalid entry in coordinates array")
        flat = flat * extent + at
    return flat


def _any(of: Any) -> bool:
    return bool(of.any()) if isinstance(of, ndarray) else bool(of)


# ---- in order -------------------------------------------------------------------------------------------------------


def sort(of: ndarray) -> ndarray:
    return ndarray(of.shape, of.dtype, sorted(of.values))


def argsort(of: ndarray, kind: str = "stable") -> ndarray:
    return _ints(sorted(range(len(of)), key=of.values.__getitem__))


def lexsort(keys: Sequence[ndarray]) -> ndarray:
    rows = list(zip(*(key.values for key in reversed(keys)), strict=True))
    return _ints(sorted(range(len(rows)), key=rows.__getitem__))


def searchsorted(of: Any, wanted: Any, side: str = "left") -> Any:
    values = of.values if isinstance(of, ndarray) else of
    find = bisect_left if side == "left" else bisect_right
    if not isinstance(wanted, ndarray):
        return find(values, wanted)
    places = {number: find(values, number) for number in set(wanted.values)}  # a trace repeats its few lines many times
    return _ints(list(map(places.__getitem__, wanted.values)))


def unique(of: ndarray, return_index: bool = False) -> Any:
    first: dict[Any, int] = {}
    for i, value in enumerate(of.values):
        first.setdefault(value, i)
    found = sorted(first)
    out = ndarray((len(found),), of.dtype, found)
    return (out, _ints([first[value] for value in found])) if return_index else out


def cumsum(of: ndarray) -> ndarray:
    return _ints(list(accumulate(map(int, of.values))))


def diff(of: ndarray, prepend: int | None = None) -> ndarray:
    values = of.values if prepend is None else [prepend, *of.values]
    return _ints([b - a for a, b in pairwise(values)])


def append(of: ndarray, value: int) -> ndarray:
    return ndarray((len(of) + 1,), of.dtype, [*of.values, value])


def repeat(of: ndarray, times: ndarray) -> ndarray:
    return ndarray(
        (sum(times.values),), of.dtype, [v for v, n in zip(of.values, times.values, strict=True) for _ in range(n)]
    )


def _ints(values: list[int]) -> ndarray:
    return ndarray((len(values),), _INT, values)
