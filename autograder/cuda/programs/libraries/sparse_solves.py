"""cuSPARSE's solutions of triangular systems, and its incomplete factorizations without fill-in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .blas import NONE, each, handle_of
from .calls import Function, LibraryCall, RefusedError, StatusSteps, Steps, Write
from .operands import Element, element
from .sparse import (
    CSR,
    INVALID_VALUE,
    LOWER,
    SUCCESS,
    UNIT,
    WORK_BYTES,
    ZERO_PIVOT,
    DenseMatrix,
    DenseVector,
    Entries,
    Sparse,
    SparseHandle,
    SparseMatrix,
    found,
    make,
    require_least,
    require_operation,
    require_size,
    turned,
    typed,
    wide,
)

CALLS: dict[str, Function] = {}
_INT = element(np.int32)


class Description:
    """What these functions make, besides matrices and vectors."""


@dataclass
class Solution(Description):
    """What cusparseSpSV_createDescr and cusparseSpSM_createDescr make."""

    analyzed: bool = False


def describe(call: LibraryCall, out: int) -> Steps:
    return make(call, "descr", out, Solution())


def destroy(call: LibraryCall, number: int) -> None:
    found(call, Description, "descr", number)
    del call.state.libraries[number]


def solved(entries: Entries, right: np.ndarray, lower: bool, unit: bool) -> np.ndarray:
    """Return the solution of a triangular system for each column of `right`, (n, k), by one half of its matrix."""
    n = len(right)
    order = np.lexsort((entries.columns, entries.rows))
    rows, columns, values = (part[order] for part in entries)
    diagonal = np.zeros(n, values.dtype)
    np.add.at(diagonal, rows[rows == columns], values[rows == columns])
    used = columns < rows if lower else columns > rows
    starts = np.searchsorted(rows[used], np.arange(n + 1)).tolist()
    at, factors = columns[used].tolist(), values[used].tolist()
    pivots = (np.ones_like(diagonal) if unit else diagonal).tolist()
    made = []
    for vector in right.T.astype(np.result_type(right, values)).tolist():
        for row in range(n) if lower else reversed(range(n)):
            total = vector[row]
            for i in range(starts[row], starts[row + 1]):
                total -= factors[i] * vector[at[i]]
            vector[row] = total / pivots[row] if pivots[row] else float(np.float64(1) / 0) * total
        made.append(vector)
    return np.array(made).reshape(right.shape[::-1]).T


def _is_lower(matrix: SparseMatrix, operation: int) -> bool:
    return (matrix.fill == LOWER) == (operation == NONE)


def analyze(call: LibraryCall, handle: int, *numbers: int) -> None:
    """Look at a matrix before systems with it are solved; of SpSM, an argument more says what is done with B."""
    sparse = Sparse(call, handle)
    operation, (a, descr, buffer) = numbers[0], (numbers[-7], numbers[-2], numbers[-1])
    require_operation(opA=operation)
    matrix, solution = found(call, SparseMatrix, "matA", a), found(call, Solution, "descr", descr)
    require_size("matA", matrix.columns, matrix.rows)
    stored = sparse.stored("matA", matrix)
    sparse.work_in(buffer)
    solution.analyzed = True
    sparse.compute(lambda: sparse.pattern(stored))


def _require_analyzed(call: LibraryCall, descr: int) -> None:
    if not found(call, Solution, "descr", descr).analyzed:
        step = call.name.replace("_solve", "_analysis")
        raise RefusedError(INVALID_VALUE, "descr", "step", step=step)


def solve_vector(
    call: LibraryCall, handle: int, operation: int, alpha: int, a: int, x: int, y: int, type_: int, algorithm: int,
    descr: int,
) -> Steps:  # fmt: skip
    """op(A) y = alpha x."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opA=operation)
    matrix = found(call, SparseMatrix, "matA", a)
    given, made = found(call, DenseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    _require_analyzed(call, descr)
    require_size("vecX", given.size, matrix.rows)
    require_size("vecY", made.size, matrix.rows)
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    stored, of_x = sparse.stored("matA", matrix), sparse.dense_vector("vecX", given)
    out = sparse.dense_vector("vecY", made, reads=False, writes=True)

    def work() -> None:
        entries = turned(sparse.entries(stored), operation)
        right = factor * wide(sparse.values(given.type, of_x))[:, None]
        values = solved(entries, right, _is_lower(matrix, operation), matrix.diagonal == UNIT)
        sparse.store(made.type, out, values[:, 0])

    sparse.compute(work)


def solve_matrix(
    call: LibraryCall, handle: int, of_a: int, of_b: int, alpha: int, a: int, b: int, c: int, type_: int,
    algorithm: int, descr: int,
) -> Steps:  # fmt: skip
    """op(A) C = alpha op(B)."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opA=of_a, opB=of_b)
    matrix = found(call, SparseMatrix, "matA", a)
    given, made = found(call, DenseMatrix, "matB", b), found(call, DenseMatrix, "matC", c)
    _require_analyzed(call, descr)
    require_size("matB", given.rows if of_b == NONE else given.columns, matrix.rows)
    require_size("matC", made.rows, matrix.rows)
    require_size("matC", made.columns, given.columns if of_b == NONE else given.rows)
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    stored, of_b_values = sparse.stored("matA", matrix), sparse.dense("matB", given)
    out = sparse.dense("matC", made, reads=False, writes=True)

    def work() -> None:
        entries = turned(sparse.entries(stored), of_a)
        right = factor * wide(sparse.values(given.type, of_b_values))
        right = right if of_b == NONE else right.T.conj() if of_b == 2 else right.T
        values = solved(entries, right, _is_lower(matrix, of_a), matrix.diagonal == UNIT)
        sparse.store(made.type, out, values)

    sparse.compute(work)


@dataclass
class MatrixKind(Description):
    """What cusparseCreateMatDescr makes: a matrix's type, and which half, diagonal and base it has."""

    type: int = 0
    fill: int = LOWER
    diagonal: int = 0
    base: int = 0


@dataclass
class Factorization(Description):
    """What cusparseCreateCsrilu02Info and cusparseCreateCsric02Info make: the first row without a pivot, or -1."""

    pivot: int = -1


_OF_KIND = {"Type": "type", "FillMode": "fill", "DiagType": "diagonal", "IndexBase": "base"}


def create_kind(call: LibraryCall, out: int) -> Steps:
    return make(call, "descrA", out, MatrixKind())


def set_kind(call: LibraryCall, number: int, value: int) -> None:
    setattr(found(call, MatrixKind, "descrA", number), _OF_KIND[call.name.removeprefix("cusparseSetMat")], value)


def get_kind(call: LibraryCall, number: int) -> int:
    """It returns the value, and no status."""
    made = found(call, MatrixKind, "descrA", number)
    return int(getattr(made, _OF_KIND[call.name.removeprefix("cusparseGetMat")]))


def create_factorization(call: LibraryCall, out: int) -> Steps:
    return make(call, "info", out, Factorization())


def lower_upper(rows: list[dict[int, complex]]) -> int:
    """Factorize a matrix into L and U with its own pattern, in place: `rows` are the elements of each row by their
    columns. The first row without a pivot, or -1."""
    for row, elements in enumerate(rows):
        for column in sorted(elements):
            if column >= row:
                break
            pivot = rows[column].get(column)
            if not pivot:
                return column
            factor = elements[column] = elements[column] / pivot
            for other, value in rows[column].items():
                if other > column and other in elements:
                    elements[other] -= factor * value
        if not elements.get(row):
            return row
    return -1


def cholesky(rows: list[dict[int, complex]]) -> int:
    """Return the same, of the lower half into L and its conjugate transpose."""
    for row, elements in enumerate(rows):
        for column in sorted(elements):
            if column > row:
                break
            other, total = rows[column], elements[column]
            for inner in elements:
                if inner < column and inner in other:
                    total -= elements[inner] * other[inner].conjugate()
            if column < row:
                elements[column] = total / other[column].real
            elif total.real <= 0:
                return row
            else:
                elements[row] = total.real**0.5
        if row not in elements:
            return row
    return -1


@each(CALLS, "cusparse{}csrilu02", "SDCZ")
@each(CALLS, "cusparse{}csrilu02_analysis", "SDCZ")
@each(CALLS, "cusparse{}csric02", "SDCZ")
@each(CALLS, "cusparse{}csric02_analysis", "SDCZ")
def factorize(
    call: LibraryCall, type_: Element, handle: int, m: int, count: int, descr: int, values: int, offsets: int,
    columns: int, info: int, policy: int, buffer: int,
) -> None:  # fmt: skip
    sparse, base = Sparse(call, handle), found(call, MatrixKind, "descrA", descr).base
    made = found(call, Factorization, "info", info)
    require_least(0, m=m, nnz=count)
    is_analysis, in_place = call.name.endswith("_analysis"), cholesky if "ic02" in call.name else lower_upper
    matrix = SparseMatrix(CSR, m, m, count, offsets, columns, values, _INT, _INT, base, type_, 0)
    stored = sparse.stored("A", matrix, writes=not is_analysis, reads=True)
    sparse.work_in(buffer)

    def work() -> None:
        at_rows, at_columns = sparse.pattern(stored)
        if is_analysis:
            with_diagonal = np.isin(np.arange(m), at_rows[at_rows == at_columns])
            made.pivot = -1 if with_diagonal.all() else int(np.argmin(with_diagonal))
            return
        held = wide(sparse.values(type_, stored.values))
        rows: list[dict[int, complex]] = [{} for _ in range(m)]
        places = list(zip(at_rows.tolist(), at_columns.tolist(), strict=True))
        for (row, column), value in zip(places, held[: len(places)].tolist(), strict=True):
            rows[row][column] = value
        made.pivot = in_place(rows)
        held[: len(places)] = [rows[row][column] for row, column in places]
        sparse.store(type_, stored.values, held)

    sparse.compute(work)


@each(CALLS, "cusparse{}csrilu02_bufferSize", "SDCZ")
@each(CALLS, "cusparse{}csric02_bufferSize", "SDCZ")
def size(call: LibraryCall, type_: Element, handle: int, *numbers: int) -> Steps:
    """Of these functions, the number of bytes is an int."""
    handle_of(call, handle, SparseHandle)
    yield Write(call.host(INVALID_VALUE, "pBufferSizeInBytes", numbers[-1]), WORK_BYTES.to_bytes(4, "little"))


def zero_pivot(call: LibraryCall, handle: int, info: int, out: int) -> StatusSteps:
    """Where the factorization found no pivot. The host waits for it."""
    sparse, made = Sparse(call, handle), found(call, Factorization, "info", info)
    call.wait(sparse.handle.stream)
    yield Write(call.host(INVALID_VALUE, "position", out), made.pivot.to_bytes(4, "little", signed=True))
    return ZERO_PIVOT if made.pivot >= 0 else SUCCESS


CALLS |= {
    **dict.fromkeys(("cusparseSpSV_createDescr", "cusparseSpSM_createDescr"), describe),
    **{
        f"cusparse{name}": destroy
        for name in (
            "SpSV_destroyDescr", "SpSM_destroyDescr", "DestroyMatDescr", "DestroyCsrilu02Info", "DestroyCsric02Info",
        )
    },
    **dict.fromkeys(("cusparseSpSV_analysis", "cusparseSpSM_analysis"), analyze),
    "cusparseSpSV_solve": solve_vector,
    "cusparseSpSM_solve": solve_matrix,
    "cusparseCreateMatDescr": create_kind,
    **{f"cusparseSetMat{what}": set_kind for what in _OF_KIND},
    **{f"cusparseGetMat{what}": get_kind for what in _OF_KIND},
    **dict.fromkeys(("cusparseCreateCsrilu02Info", "cusparseCreateCsric02Info"), create_factorization),
    **dict.fromkeys(("cusparseXcsrilu02_zeroPivot", "cusparseXcsric02_zeroPivot"), zero_pivot),
}  # fmt: skip
