"""The operands of a library's call: elements of the GPU's memory, at distances that its arguments give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..memory.access_spans import Spans
from ..memory.heap import ADDRESS


@dataclass(frozen=True)
class Operand:
    """The argument `name`: elements of `dtype`, the first at `address`, `strides` elements apart along each axis of
    `shape`."""

    name: str
    address: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    reads: bool = True
    writes: bool = False

    @property
    def size(self) -> int:
        """How many elements it has."""
        return prod(self.shape)

    @cached_property
    def spans(self) -> Spans:
        """The bytes that it has, int64 of (n, 2), in order; those between its elements are not among them."""
        run = item = self.dtype.itemsize
        starts = np.array([self.address], np.int64)
        for stride, size in sorted((abs(s), (n, s)) for n, s in zip(self.shape, self.strides, strict=True)):
            count, signed = size
            if signed < 0:
                starts = starts + (count - 1) * signed * item
            if stride * item == run and len(starts) == 1:
                run *= count
            elif count > 1 and stride:
                starts = (starts[:, None] + np.arange(count) * stride * item).reshape(-1)
        starts = np.unique(starts)
        spans = np.stack((starts, starts + run), axis=1)
        if len(spans) > 1 and (spans[1:, 0] <= spans[:-1, 1]).any():  # rows that follow each other, or overlap
            begins = np.concatenate(([True], spans[1:, 0] > spans[:-1, 1]))
            first = np.flatnonzero(begins)
            spans = np.stack((starts[first], spans[np.append(first[1:] - 1, len(spans) - 1), 1]), axis=1)
        return spans

    def array(self, memory: np.ndarray) -> np.ndarray:
        """Its elements in `memory`, uint8 of the whole GPU, to read and to write."""
        item = self.dtype.itemsize
        strides = [stride * item for stride in self.strides]
        return np.ndarray(self.shape, self.dtype, memory, self.address - ADDRESS, strides)


@dataclass(frozen=True)
class Half(Operand):
    """The upper or the lower half of a square matrix by columns, with its diagonal or without."""

    upper: bool = False
    diagonal: bool = True

    @property
    def size(self) -> int:
        n = self.shape[0]
        return n * (n + 1) // 2 - (0 if self.diagonal else n)

    @cached_property
    def spans(self) -> Spans:
        n, item, rows = self.shape[0], self.dtype.itemsize, np.arange(self.shape[0])
        inside = 0 if self.diagonal else 1
        first, end = (0 * rows, rows + 1 - inside) if self.upper else (rows + inside, 0 * rows + n)
        columns = self.address + rows * self.strides[1] * item
        spans = np.stack((columns + first * item, columns + end * item), axis=1)
        return spans[spans[:, 0] < spans[:, 1]]


class Element(NamedTuple):
    """A type of elements: how they lie in memory, what they are computed in, and how both become each other."""

    dtype: np.dtype[Any]
    computed: np.dtype[Any]
    load: Callable[[np.ndarray], np.ndarray]
    store: Callable[[np.ndarray], np.ndarray]


def element(stored: Any, computed: Any = None) -> Element:
    """Return a type that numpy has."""
    dtype, wide = np.dtype(stored), np.dtype(computed or stored)
    return Element(dtype, wide, lambda x: x.astype(wide, copy=False), lambda x: x.astype(dtype, copy=False))


def _from_bfloat16(x: np.ndarray) -> np.ndarray:
    return (x.astype(np.uint32) << 16).view(np.float32)


def _to_bfloat16(x: np.ndarray) -> np.ndarray:
    """Rounded to the nearest, to the even one of two."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), 0x7FFF, rounded).astype(np.uint16)


BFLOAT16 = Element(np.dtype(np.uint16), np.dtype(np.float32), _from_bfloat16, _to_bfloat16)
HALF = element(np.float16, np.float32)
FLOAT, DOUBLE = element(np.float32), element(np.float64)
COMPLEX, DOUBLE_COMPLEX = element(np.complex64), element(np.complex128)
