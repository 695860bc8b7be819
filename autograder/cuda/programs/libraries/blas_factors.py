"""cuBLAS's factorizations of many small matrices, whose addresses are in lists on the GPU, and what is made by them."""

from __future__ import annotations

import numpy as np

from .blas import INVALID_VALUE, NONE, Blas, each, oriented, require_least, require_one
from .blas_matrices import solved
from .calls import Function, LibraryCall, Steps, Write
from .operands import Element, Operand, element

CALLS: dict[str, Function] = {}
_INT = element(np.int32)


def _factorized(matrix: np.ndarray, pivots: np.ndarray | None) -> int:
    """Make L and U of a matrix in its place, with the rows that each step swaps in `pivots`, counted from 1; without
    swaps if that is None. The first column without a pivot, counted from 1, or 0."""
    failed = 0
    for column in range(len(matrix)):
        row = column if pivots is None else column + int(np.argmax(np.abs(matrix[column:, column])))
        if pivots is not None:
            pivots[column] = row + 1
            matrix[[column, row]] = matrix[[row, column]]
        if matrix[column, column] == 0:
            failed = failed or column + 1
            continue
        below = matrix[column + 1 :]
        below[:, column] /= matrix[column, column]
        below[:, column + 1 :] -= np.outer(below[:, column], matrix[column, column + 1 :])
    return failed


def _order(pivots: np.ndarray | None, n: int) -> np.ndarray:
    """Return the rows as the swaps leave them."""
    rows = np.arange(n)
    for step, pivot in enumerate([] if pivots is None else pivots.tolist()):
        rows[[step, pivot - 1]] = rows[[pivot - 1, step]]
    return rows


def _pivots(blas: Blas, address: int, n: int, count: int, *, writes: bool) -> Operand | None:
    return blas.vector("PivotArray", _INT, address, n * count, 1, reads=not writes, writes=writes) if address else None


def _of(call: LibraryCall, pivots: Operand | None, n: int, number: int) -> np.ndarray | None:
    return call.array(pivots)[number * n : (number + 1) * n] if pivots else None


@each(CALLS, "cublas{}getrfBatched", "SDCZ")
def factorize(
    call: LibraryCall, type_: Element, handle: int, n: int, a: int, lda: int, pivots: int, info: int, count: int
) -> None:
    blas = Blas(call, handle)
    require_least(0, n=n, batchSize=count)
    matrices = [blas.matrix("A", type_, address, n, n, lda, writes=True) for (address,) in blas.lists(count, Aarray=a)]
    swaps = _pivots(blas, pivots, n, count, writes=True)
    statuses = blas.vector("infoArray", _INT, info, count, 1, reads=False, writes=True)

    def work() -> None:
        for number, matrix in enumerate(matrices):
            values = blas.values(type_, matrix).copy()
            call.array(statuses)[number] = _factorized(values, _of(call, swaps, n, number))
            blas.store(type_, matrix, values)

    blas.compute(work)


@each(CALLS, "cublas{}getriBatched", "SDCZ")
def invert(
    call: LibraryCall, type_: Element, handle: int, n: int, a: int, lda: int, pivots: int, c: int, ldc: int, info: int,
    count: int,
) -> None:  # fmt: skip
    """The inverses of factorized matrices."""
    blas = Blas(call, handle)
    require_least(0, n=n, batchSize=count)
    both = [
        (blas.matrix("A", type_, first, n, n, lda), blas.matrix("C", type_, other, n, n, ldc, reads=False, writes=True))
        for first, other in blas.lists(count, Aarray=a, Carray=c)
    ]
    swaps = _pivots(blas, pivots, n, count, writes=False)
    statuses = blas.vector("infoArray", _INT, info, count, 1, reads=False, writes=True)

    def work() -> None:
        for number, (matrix, out) in enumerate(both):
            values = blas.values(type_, matrix)
            right = np.eye(n, dtype=values.dtype)[_order(_of(call, swaps, n, number), n)]
            blas.store(type_, out, solved(values, solved(values, right, True, True), False, False))
            zeros = np.flatnonzero(np.diag(values) == 0)
            call.array(statuses)[number] = zeros[0] + 1 if len(zeros) else 0

    blas.compute(work)


@each(CALLS, "cublas{}getrsBatched", "SDCZ")
def solve(
    call: LibraryCall, type_: Element, handle: int, trans: int, n: int, columns: int, a: int, lda: int, pivots: int,
    b: int, ldb: int, info: int, count: int,
) -> Steps:  # fmt: skip
    """Solve systems with factorized matrices. `info` is the host's, and says whether the arguments are right."""
    blas = Blas(call, handle)
    require_one(range(3), trans=trans)
    require_least(0, n=n, nrhs=columns, batchSize=count)
    yield Write(call.host(INVALID_VALUE, "info", info), bytes(4))
    both = [
        (blas.matrix("A", type_, first, n, n, lda), blas.matrix("B", type_, other, n, columns, ldb, writes=True))
        for first, other in blas.lists(count, Aarray=a, Barray=b)
    ]
    swaps = _pivots(blas, pivots, n, count, writes=False)

    def work() -> None:
        for number, (matrix, out) in enumerate(both):
            values, right = blas.values(type_, matrix), blas.values(type_, out)
            order = _order(_of(call, swaps, n, number), n)
            if trans == NONE:
                made = solved(values, solved(values, right[order], True, True), False, False)
            else:  # (P' L U)' X = B
                turned = oriented(values, trans)
                made = solved(turned, solved(turned, right, True, False), False, True)[np.argsort(order)]
            blas.store(type_, out, made)

    blas.compute(work)
