"""cuSPARSE's products: of a matrix with a vector, a dense and a sparse matrix; of dense ones where a pattern is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .blas import NONE
from .calls import Function, LibraryCall, RefusedError, Steps, WrongIndexError
from .operands import Operand
from .sparse import (
    CSR,
    INVALID_VALUE,
    NOT_SUPPORTED,
    DenseMatrix,
    DenseVector,
    Entries,
    Sparse,
    SparseMatrix,
    Stored,
    found,
    make,
    require_operation,
    require_size,
    sums,
    turned,
    typed,
    wide,
)


def _sizes(matrix: SparseMatrix | DenseMatrix, operation: int) -> tuple[int, int]:
    return (matrix.rows, matrix.columns) if operation == NONE else (matrix.columns, matrix.rows)


def _oriented(values: np.ndarray, operation: int) -> np.ndarray:
    return values if operation == NONE else values.T.conj() if operation == 2 else values.T


def by_vector(
    call: LibraryCall, handle: int, operation: int, alpha: int, a: int, x: int, beta: int, y: int, type_: int,
    algorithm: int, buffer: int,
) -> Steps:  # fmt: skip
    """y = alpha op(A) x + beta y."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opA=operation)
    matrix = found(call, SparseMatrix, "matA", a)
    given, made = found(call, DenseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    rows, columns = _sizes(matrix, operation)
    require_size("vecX", given.size, columns)
    require_size("vecY", made.size, rows)
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    by_y = yield from sparse.scalar("beta", scalars, beta)
    stored, of_x = sparse.stored("matA", matrix), sparse.dense_vector("vecX", given)
    out = sparse.dense_vector("vecY", made, reads=by_y != 0, writes=True)
    sparse.work_in(buffer)

    def work() -> None:
        entries = turned(sparse.entries(stored), operation)
        products = entries.values * wide(sparse.values(given.type, of_x))[entries.columns]
        values = factor * sums(entries.rows, products, rows)
        if by_y != 0:
            values = values + by_y * wide(sparse.values(made.type, out))
        sparse.store(made.type, out, values)

    sparse.compute(work)


def by_matrix(
    call: LibraryCall, handle: int, of_a: int, of_b: int, alpha: int, a: int, b: int, beta: int, c: int, type_: int,
    algorithm: int, buffer: int,
) -> Steps:  # fmt: skip
    """C = alpha op(A) op(B) + beta C, of a batch each."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opA=of_a, opB=of_b)
    left, right = found(call, SparseMatrix, "matA", a), found(call, DenseMatrix, "matB", b)
    made = found(call, DenseMatrix, "matC", c)
    (rows, inner), (inner_b, columns) = _sizes(left, of_a), _sizes(right, of_b)
    require_size("matB", inner_b, inner)
    require_size("matC", made.rows, rows)
    require_size("matC", made.columns, columns)
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    by_c = yield from sparse.scalar("beta", scalars, beta)
    each = [
        (
            sparse.stored("matA", left, at=i if left.batch > 1 else 0),
            sparse.dense("matB", right, at=i if right.batch > 1 else 0),
            sparse.dense("matC", made, at=i, reads=by_c != 0, writes=True),
        )
        for i in range(made.batch)
    ]
    sparse.work_in(buffer)

    def multiply(stored: Stored, other: Operand, out: Operand) -> None:
        entries = turned(sparse.entries(stored), of_a)
        dense = _oriented(wide(sparse.values(right.type, other)), of_b)
        products = [sums(entries.rows, entries.values * column[entries.columns], rows) for column in dense.T]
        values = factor * np.array(products).reshape(columns, rows).T
        if by_c != 0:
            values = values + by_c * wide(sparse.values(made.type, out))
        sparse.store(made.type, out, values)

    def work() -> None:
        for operands in each:
            multiply(*operands)

    sparse.compute(work)


def where_stored(
    call: LibraryCall, handle: int, of_a: int, of_b: int, alpha: int, a: int, b: int, beta: int, c: int, type_: int,
    algorithm: int, buffer: int,
) -> Steps:  # fmt: skip
    """The elements of C that are stored: alpha (op(A) op(B)) + beta C, of a batch each."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opA=of_a, opB=of_b)
    left, right = found(call, DenseMatrix, "matA", a), found(call, DenseMatrix, "matB", b)
    made = found(call, SparseMatrix, "matC", c)
    (rows, inner), (inner_b, columns) = _sizes(left, of_a), _sizes(right, of_b)
    require_size("matB", inner_b, inner)
    require_size("matC", made.rows, rows)
    require_size("matC", made.columns, columns)
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    by_c = yield from sparse.scalar("beta", scalars, beta)
    each = [
        (
            sparse.dense("matA", left, at=i if left.batch > 1 else 0),
            sparse.dense("matB", right, at=i if right.batch > 1 else 0),
            sparse.stored("matC", made, at=i, writes=True, reads=by_c != 0),
        )
        for i in range(made.batch)
    ]
    sparse.work_in(buffer)

    def multiply(of_left: Operand, of_right: Operand, stored: Stored) -> None:
        one_factor = _oriented(wide(sparse.values(left.type, of_left)), of_a)
        other = _oriented(wide(sparse.values(right.type, of_right)), of_b)
        at_rows, at_columns = sparse.pattern(stored)
        values = factor * np.einsum("ij,ij->i", one_factor[at_rows], other.T[at_columns])
        if by_c != 0:
            values = values + by_c * wide(sparse.values(made.type, stored.values))[: len(at_rows)]
        call.array(stored.values)[: len(at_rows)] = made.type.store(values)

    def work() -> None:
        for operands in each:
            multiply(*operands)

    sparse.compute(work)


@dataclass
class SparseProduct:
    """What cusparseSpGEMM_createDescr makes: the product of two sparse matrices, once it is computed."""

    made: Entries | None = None


def describe_product(call: LibraryCall, out: int) -> Steps:
    return make(call, "descr", out, SparseProduct())


def multiply(left: Entries, right: Entries, inner: int, columns: int) -> Entries:
    """Return the product of two sparse matrices, by rows."""
    order = np.argsort(right.rows, kind="stable")
    starts = np.searchsorted(right.rows[order], np.arange(inner + 1))
    lengths = np.diff(starts)[left.columns]
    of_left = np.repeat(np.arange(len(left.values)), lengths)
    within = np.arange(len(of_left)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    of_right = order[starts[left.columns[of_left]] + within]
    places, at = np.unique(left.rows[of_left] * columns + right.columns[of_right], return_inverse=True)
    values = sums(at, left.values[of_left] * right.values[of_right], len(places))
    return Entries(places // max(columns, 1), places % max(columns, 1), values)


def of_sparse(
    call: LibraryCall, handle: int, of_a: int, of_b: int, alpha: int, a: int, b: int, beta: int, c: int, type_: int,
    algorithm: int, descr: int, size: int = 0, buffer: int = 0,
) -> Steps:  # fmt: skip
    """C = alpha A B + beta C in three steps: an estimate, the product, of which C then has the number of elements, and
    a copy of it to where the program has made room. The first two say how much memory to work in they need, if they
    get none."""
    sparse, scalars = Sparse(call, handle), typed(type_, "computeType")
    left, right = found(call, SparseMatrix, "matA", a), found(call, SparseMatrix, "matB", b)
    made, product = found(call, SparseMatrix, "matC", c), found(call, SparseProduct, "spgemmDescr", descr)
    if of_a != NONE or of_b != NONE:
        raise RefusedError(NOT_SUPPORTED, "opA" if of_a != NONE else "opB", "value", number=of_a or of_b)
    for name, matrix in (("matA", left), ("matB", right), ("matC", made)):
        if matrix.format != CSR:
            raise RefusedError(NOT_SUPPORTED, name, "format")
    require_size("matB", right.rows, left.columns)
    require_size("matC", made.rows, left.rows)
    require_size("matC", made.columns, right.columns)
    if size:
        yield from sparse.put_size(size)
        if not buffer or not call.name.endswith("_compute"):
            return
        call.require_uncaptured(sparse.handle.stream)
        of_left, of_right = sparse.stored("matA", left), sparse.stored("matB", right)
        sparse.work_in(buffer)

        def work() -> None:
            product.made = multiply(sparse.entries(of_left), sparse.entries(of_right), left.columns, right.columns)
            made.count = len(product.made.values)

        sparse.compute(work)
        return
    factor = yield from sparse.scalar("alpha", scalars, alpha)
    by_c = yield from sparse.scalar("beta", scalars, beta)
    if not product.made:
        raise RefusedError(INVALID_VALUE, "spgemmDescr", "step", step="cusparseSpGEMM_compute")
    out = sparse.stored("matC", made, writes=True, reads=by_c != 0, pattern=True)

    def copy() -> None:
        assert product.made
        rows, columns, values = product.made
        if len(values) != out.values.size:
            raise WrongIndexError(argument="matC", why="count", number=len(values), count=out.values.size)
        changed = factor * values
        if by_c != 0:
            changed = changed + by_c * wide(sparse.values(made.type, out.values))
        call.array(out.first)[...] = np.searchsorted(rows, np.arange(made.rows + 1)) + made.base
        call.array(out.second)[...] = columns + made.base
        sparse.store(made.type, out.values, changed)

    sparse.compute(copy)


def destroy(call: LibraryCall, number: int) -> None:
    found(call, SparseProduct, "descr", number)
    del call.state.libraries[number]


CALLS: dict[str, Function] = {
    "cusparseSpMV": by_vector,
    "cusparseSpMM": by_matrix,
    "cusparseSDDMM": where_stored,
    "cusparseSpGEMM_createDescr": describe_product,
    "cusparseSpGEMM_destroyDescr": destroy,
    **dict.fromkeys(("cusparseSpGEMM_workEstimation", "cusparseSpGEMM_compute", "cusparseSpGEMM_copy"), of_sparse),
}
