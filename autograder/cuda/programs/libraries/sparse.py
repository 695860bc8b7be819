"""What cuSPARSE's functions have in common: descriptions of matrices and vectors, and what is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from .blas import NONE, Blas, Handle
from .blas_products import DATA_TYPES
from .calls import LibraryCall, RefusedError, Steps, Write, WrongIndexError
from .operands import Element, Operand, element

SUCCESS, INVALID_VALUE, EXECUTION_FAILED, ZERO_PIVOT, NOT_SUPPORTED = 0, 3, 6, 9, 10
#: cusparseFormat_t, cusparseOrder_t, cusparseFillMode_t, cusparseDiagType_t.
CSR, CSC, COO = 1, 2, 3
COLUMNS, ROWS = 1, 2
LOWER, UPPER = 0, 1
UNIT = 1
#: By cusparseIndexType_t.
_INDICES = {1: element(np.uint16), 2: element(np.int32), 3: element(np.int64)}
#: Bytes of memory to work in that each function asks for. Nothing is done there.
WORK_BYTES = 256
T = TypeVar("T")


class SparseHandle(Handle):
    """What cusparseCreate makes."""


class Described:
    """What has a description: where its `values` are."""

    values: int


class Indexed(Described):
    """The same, with indices that count from `base`."""

    base: int


@dataclass
class SparseMatrix(Indexed):
    """A matrix of which some elements are stored: `offsets` of its rows and their columns (CSR), of its columns and
    their rows (CSC), or the rows and the columns of all elements (COO); where those are, and the values."""

    format: int
    rows: int
    columns: int
    count: int
    first: int
    second: int
    values: int
    first_type: Element
    second_type: Element
    base: int
    type: Element
    type_number: int
    fill: int = LOWER
    diagonal: int = 0
    batch: int = 1
    first_stride: int = 0
    stride: int = 0


@dataclass
class DenseMatrix(Described):
    """A matrix by columns or by rows, or a batch of them."""

    rows: int
    columns: int
    leading: int
    values: int
    type: Element
    type_number: int
    order: int
    batch: int = 1
    stride: int = 0


@dataclass
class DenseVector(Described):
    size: int
    values: int
    type: Element
    type_number: int


@dataclass
class SparseVector(Indexed):
    """A vector of `size` elements, of which `count` are stored."""

    size: int
    count: int
    indices: int
    values: int
    index_type: Element
    base: int
    type: Element
    type_number: int


class Entries(NamedTuple):
    """The stored elements of a matrix, in their order: int64, int64 and float64 or complex128, each of (count,)."""

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


class Stored(NamedTuple):
    """Operands: the three lists of a matrix."""

    matrix: SparseMatrix
    name: str
    first: Operand
    second: Operand
    values: Operand


def require_least(least: int, **arguments: int) -> None:
    """Raise RefusedError unless all arguments have at least this value."""
    for name, number in arguments.items():
        if number < least:
            raise RefusedError(INVALID_VALUE, name, "least", number=number, least=least)


def require_size(name: str, number: int, needed: int) -> None:
    """Raise RefusedError unless an argument has the size that the others require."""
    if number != needed:
        raise RefusedError(INVALID_VALUE, name, "size", number=number, least=needed)


def require_operation(**arguments: int) -> None:
    """Raise RefusedError unless all arguments are values of cusparseOperation_t."""
    for name, number in arguments.items():
        if number not in range(3):
            raise RefusedError(INVALID_VALUE, name, "value", number=number)


def typed(number: int, name: str) -> Element:
    """Return the type of a number of cudaDataType. Raises RefusedError: it is not there."""
    if number not in DATA_TYPES:
        raise RefusedError(NOT_SUPPORTED, name, "value", number=number)
    return DATA_TYPES[number]


def index_type(number: int, name: str) -> Element:
    """Return the same of cusparseIndexType_t."""
    if number not in _INDICES:
        raise RefusedError(INVALID_VALUE, name, "value", number=number)
    return _INDICES[number]


def found(call: LibraryCall, kind: type[T], name: str, number: int) -> T:
    """Return what has this number. Raises RefusedError: nothing of this kind."""
    return call.found(kind, INVALID_VALUE, name, number)


def make(call: LibraryCall, name: str, out: int, made: object) -> Steps:
    """Give the program the number of what is made."""
    return call.new(made, INVALID_VALUE, name, out)


def wide(values: np.ndarray) -> np.ndarray:
    """Numbers as sums are made of them."""
    return values.astype(np.complex128 if np.iscomplexobj(values) else np.float64)


def sums(at: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """For each of `size` places, the sum of the values that are there."""
    made: np.ndarray = np.bincount(at, values.real, size)
    return made + 1j * np.bincount(at, values.imag, size) if np.iscomplexobj(values) else made


def turned(entries: Entries, operation: int) -> Entries:
    """Return what a matrix is made by an operation."""
    if operation == NONE:
        return entries
    values = entries.values.conj() if operation == 2 else entries.values
    return Entries(entries.columns, entries.rows, values)


class Sparse(Blas):
    """A call of cuSPARSE's: its handle, and the operands so far."""

    kind = SparseHandle
    invalid, failed = INVALID_VALUE, EXECUTION_FAILED

    def stored(
        self,
        name: str,
        matrix: SparseMatrix,
        *,
        at: int = 0,
        writes: bool = False,
        reads: bool | None = None,
        pattern: bool = False,
        valued: bool = True,
    ) -> Stored:
        """Return the lists of a matrix, or of number `at` of a batch. `writes` and `reads` are of the values, if the
        function uses those; with `pattern`, it also writes where they are."""
        major = {CSR: matrix.rows + 1, CSC: matrix.columns + 1}.get(matrix.format, matrix.count)
        first = matrix.first + at * matrix.first_stride * matrix.first_type.dtype.itemsize
        second = matrix.second + at * matrix.stride * matrix.second_type.dtype.itemsize
        values = matrix.values + at * matrix.stride * matrix.type.dtype.itemsize
        offsets, columns = {CSR: ("row offsets", "columns"), CSC: ("column offsets", "rows")}.get(
            matrix.format, ("rows", "columns")
        )
        changes = {"reads": not pattern, "writes": pattern}
        reads, count = not writes if reads is None else reads, matrix.count if valued else 0
        return Stored(
            matrix,
            name,
            self.vector(f"the {offsets} of {name}", matrix.first_type, first, major, 1, **changes),
            self.vector(f"the {columns} of {name}", matrix.second_type, second, matrix.count, 1, **changes),
            self.vector(
                f"the values of {name}",
                matrix.type,
                values,
                count,
                1,
                reads=reads,
                writes=writes,
            ),
        )

    def pattern(self, stored: Stored) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows and the columns of a matrix's elements. Raises WrongIndexError: one is not in the matrix, or
        offsets lead beyond the elements."""
        matrix = stored.matrix
        first = self.call.array(stored.first).astype(np.int64) - matrix.base
        second = self.call.array(stored.second).astype(np.int64) - matrix.base
        by_columns = matrix.format == CSC
        inner = matrix.rows if by_columns else matrix.columns
        if matrix.format == COO:
            self._require_below(stored.first, first, matrix.rows, matrix.base)
        else:
            self.require_offsets(stored.first, first, matrix.count, matrix.base)
            second = second[: first[-1]]
            first = np.repeat(np.arange(len(first) - 1), np.diff(first))
        self._require_below(stored.second, second, inner, matrix.base)
        return (second, first) if by_columns else (first, second)

    def entries(self, stored: Stored) -> Entries:
        """Return a matrix's elements. Raises what `pattern` raises."""
        rows, columns = self.pattern(stored)
        return Entries(rows, columns, wide(self.values(stored.matrix.type, stored.values))[: len(rows)])

    def require_offsets(self, operand: Operand, offsets: np.ndarray, count: int, base: int) -> None:
        """Raise WrongIndexError unless offsets, without their base, rise from 0 to as many elements as there are."""
        wrong = np.diff(offsets, prepend=0) < 0
        wrong |= offsets > count
        wrong[0] |= offsets[0] != 0
        if wrong.any():
            at = int(np.argmax(wrong))
            facts = {"at": at, "number": int(offsets[at]) + base, "count": count, "first": base}
            raise WrongIndexError(argument=operand.name, why="offset", **facts)

    def _require_below(self, operand: Operand, indices: np.ndarray, size: int, base: int) -> None:
        wrong = np.flatnonzero((indices < 0) | (indices >= size))
        if len(wrong):
            at = int(wrong[0])
            raise WrongIndexError(
                argument=operand.name, why="index", at=at, number=int(indices[at]) + base, first=base,
                last=size - 1 + base,
            )  # fmt: skip

    def dense_vector(self, name: str, vector: DenseVector, *, reads: bool = True, writes: bool = False) -> Operand:
        return self.vector(name, vector.type, vector.values, vector.size, 1, reads=reads, writes=writes)

    def sparse_vector(self, name: str, vector: SparseVector, *, reads: bool = True, writes: bool = False) -> Stored:
        """Return the lists of a vector: of a matrix with one column."""
        matrix = SparseMatrix(
            CSC, vector.size, 1, vector.count, 0, vector.indices, vector.values, vector.index_type, vector.index_type,
            vector.base, vector.type, vector.type_number,
        )  # fmt: skip
        indices = self.vector(f"the indices of {name}", vector.index_type, vector.indices, vector.count, 1)
        values = self.vector(
            f"the values of {name}", vector.type, vector.values, vector.count, 1, reads=reads, writes=writes
        )
        return Stored(matrix, name, indices, indices, values)

    def indices(self, stored: Stored) -> np.ndarray:
        """Return the places of a vector's elements. Raises WrongIndexError: one is not in the vector."""
        made = self.call.array(stored.second).astype(np.int64) - stored.matrix.base
        self._require_below(stored.second, made, stored.matrix.rows, stored.matrix.base)
        return made

    def dense(
        self, name: str, matrix: DenseMatrix, *, at: int = 0, reads: bool = True, writes: bool = False
    ) -> Operand:
        """Return a matrix, or number `at` of a batch."""
        strides = (1, matrix.leading) if matrix.order == COLUMNS else (matrix.leading, 1)
        address = matrix.values + at * matrix.stride * matrix.type.dtype.itemsize
        return self._operand(name, matrix.type, address, (matrix.rows, matrix.columns), strides, reads, writes)

    def work_in(self, address: int) -> None:
        """Memory to work in. What is there before and after has no meaning; of none, a function needs none here."""
        if address:
            self.vector("externalBuffer", element(np.uint8), address, WORK_BYTES, 1, reads=False, writes=True)

    def put_size(self, out: int) -> Steps:
        """Tell the program how much memory to work in a function needs."""
        yield Write(self.call.host(INVALID_VALUE, "bufferSize", out), WORK_BYTES.to_bytes(8, "little"))
