"""cuBLAS's functions of matrices and vectors, and of matrices, without the products of general ones."""

from __future__ import annotations

import numpy as np

from .blas import NONE, Blas, each, oriented, require_least, require_one, triangle
from .calls import Function, LibraryCall, Steps
from .operands import Element

CALLS: dict[str, Function] = {}
#: cublasSideMode_t, cublasFillMode_t, cublasDiagType_t.
_LEFT, _UPPER, _UNIT = 0, 1, 1


@each(CALLS, "cublas{}gemv", "SDCZ")
def gemv(
    call: LibraryCall, type_: Element, handle: int, trans: int, m: int, n: int, alpha: int, a: int, lda: int, x: int,
    incx: int, beta: int, y: int, incy: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(trans=trans)
    require_least(0, m=m, n=n)
    by_x = yield from blas.scalar("alpha", type_, alpha)
    by_y = yield from blas.scalar("beta", type_, beta)
    matrix = blas.matrix("A", type_, a, m, n, lda, reads=by_x != 0)
    of_x, of_y = (n, m) if trans == NONE else (m, n)
    xs = blas.vector("x", type_, x, of_x, _distance(incx=incx), reads=by_x != 0)
    ys = blas.vector("y", type_, y, of_y, _distance(incy=incy), reads=by_y != 0, writes=True)

    def work() -> None:
        product = by_x * (oriented(blas.values(type_, matrix), trans) @ blas.values(type_, xs))
        blas.store(type_, ys, product + by_y * blas.values(type_, ys) if by_y != 0 else product)

    blas.compute(work)


def _require_flags(**arguments: int) -> None:
    """Raise RefusedError unless each argument has a value of its enumeration: operations have three, others two."""
    for name, number in arguments.items():
        require_one(range(3 if name.startswith("trans") else 2), **{name: number})


def _distance(**argument: int) -> int:
    """Return a distance that is not 0."""
    ((name, number),) = argument.items()
    if number == 0:
        require_least(1, **{name: number})
    return number


def _ger(
    call: LibraryCall, type_: Element, conjugated: bool, handle: int, m: int, n: int, alpha: int, x: int, incx: int,
    y: int, incy: int, a: int, lda: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    require_least(0, m=m, n=n)
    factor = yield from blas.scalar("alpha", type_, alpha)
    xs = blas.vector("x", type_, x, m, _distance(incx=incx))
    ys = blas.vector("y", type_, y, n, _distance(incy=incy))
    matrix = blas.matrix("A", type_, a, m, n, lda, writes=True)

    def work() -> None:
        row = blas.values(type_, ys).conj() if conjugated else blas.values(type_, ys)
        blas.store(type_, matrix, factor * np.outer(blas.values(type_, xs), row) + blas.values(type_, matrix))

    blas.compute(work)


@each(CALLS, "cublas{}ger", "SD")
@each(CALLS, "cublas{}geru", "CZ")
def ger(call: LibraryCall, type_: Element, *numbers: int) -> Steps:
    return _ger(call, type_, False, *numbers)


@each(CALLS, "cublas{}gerc", "CZ")
def gerc(call: LibraryCall, type_: Element, *numbers: int) -> Steps:
    return _ger(call, type_, True, *numbers)


def _symmetric(matrix: np.ndarray, uplo: int) -> np.ndarray:
    half = triangle(matrix, uplo == _UPPER)
    whole: np.ndarray = half + triangle(half.T, uplo != _UPPER) - np.diag(np.diag(half))
    return whole


@each(CALLS, "cublas{}symv", "SDCZ")
def symv(
    call: LibraryCall, type_: Element, handle: int, uplo: int, n: int, alpha: int, a: int, lda: int, x: int, incx: int,
    beta: int, y: int, incy: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(uplo=uplo)
    require_least(0, n=n)
    by_x = yield from blas.scalar("alpha", type_, alpha)
    by_y = yield from blas.scalar("beta", type_, beta)
    matrix = blas.half("A", type_, a, n, lda, uplo == _UPPER)
    xs = blas.vector("x", type_, x, n, _distance(incx=incx))
    ys = blas.vector("y", type_, y, n, _distance(incy=incy), reads=by_y != 0, writes=True)

    def work() -> None:
        product = by_x * (_symmetric(blas.values(type_, matrix), uplo) @ blas.values(type_, xs))
        blas.store(type_, ys, product + by_y * blas.values(type_, ys) if by_y != 0 else product)

    blas.compute(work)


@each(CALLS, "cublas{}symm", "SDCZ")
def symm(
    call: LibraryCall, type_: Element, handle: int, side: int, uplo: int, m: int, n: int, alpha: int, a: int, lda: int,
    b: int, ldb: int, beta: int, c: int, ldc: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(side=side, uplo=uplo)
    require_least(0, m=m, n=n)
    factor = yield from blas.scalar("alpha", type_, alpha)
    by_c = yield from blas.scalar("beta", type_, beta)
    left = blas.half("A", type_, a, m if side == _LEFT else n, lda, uplo == _UPPER)
    right = blas.matrix("B", type_, b, m, n, ldb)
    out = blas.matrix("C", type_, c, m, n, ldc, reads=by_c != 0, writes=True)

    def work() -> None:
        whole, other = _symmetric(blas.values(type_, left), uplo), blas.values(type_, right)
        product = factor * (whole @ other if side == _LEFT else other @ whole)
        blas.store(type_, out, product + by_c * blas.values(type_, out) if by_c != 0 else product)

    blas.compute(work)


@each(CALLS, "cublas{}syrk", "SDCZ")
def syrk(
    call: LibraryCall, type_: Element, handle: int, uplo: int, trans: int, n: int, k: int, alpha: int, a: int, lda: int,
    beta: int, c: int, ldc: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(uplo=uplo, trans=trans)
    require_least(0, n=n, k=k)
    factor = yield from blas.scalar("alpha", type_, alpha)
    by_c = yield from blas.scalar("beta", type_, beta)
    matrix = blas.matrix("A", type_, a, *((n, k) if trans == NONE else (k, n)), lda)
    out = blas.half("C", type_, c, n, ldc, uplo == _UPPER, reads=by_c != 0, writes=True)

    def work() -> None:
        rows = blas.values(type_, matrix) if trans == NONE else blas.values(type_, matrix).T
        product, held = factor * (rows @ rows.T), blas.values(type_, out)
        changed = product + by_c * held if by_c != 0 else product
        in_triangle = triangle(np.ones((n, n), bool), uplo == _UPPER)
        blas.store(type_, out, np.where(in_triangle, changed, held))

    blas.compute(work)


def solved(matrix: np.ndarray, right: np.ndarray, lower: bool, unit: bool) -> np.ndarray:
    """Return the solution X of matrix @ X = right, of whose triangle one half is used; row by row."""
    out, order = right.copy(), range(len(matrix))
    for row in order if lower else reversed(order):
        known = slice(0, row) if lower else slice(row + 1, None)
        out[row] -= matrix[row, known] @ out[known]
        if not unit:
            out[row] /= matrix[row, row]
    return out


@each(CALLS, "cublas{}trsv", "SDCZ")
def trsv(
    call: LibraryCall, type_: Element, handle: int, uplo: int, trans: int, diag: int, n: int, a: int, lda: int, x: int,
    incx: int,
) -> None:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(uplo=uplo, trans=trans, diag=diag)
    require_least(0, n=n)
    matrix = blas.half("A", type_, a, n, lda, uplo == _UPPER, diagonal=diag != _UNIT)
    xs = blas.vector("x", type_, x, n, _distance(incx=incx), writes=True)

    def work() -> None:
        lower = (uplo == _UPPER) != (trans == NONE)
        turned = oriented(blas.values(type_, matrix), trans)
        blas.store(type_, xs, solved(turned, blas.values(type_, xs)[:, None], lower, diag == _UNIT)[:, 0])

    blas.compute(work)


@each(CALLS, "cublas{}trsm", "SDCZ")
def trsm(
    call: LibraryCall, type_: Element, handle: int, side: int, uplo: int, trans: int, diag: int, m: int, n: int,
    alpha: int, a: int, lda: int, b: int, ldb: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(side=side, uplo=uplo, trans=trans, diag=diag)
    require_least(0, m=m, n=n)
    factor = yield from blas.scalar("alpha", type_, alpha)
    matrix = blas.half("A", type_, a, m if side == _LEFT else n, lda, uplo == _UPPER, diagonal=diag != _UNIT)
    out = blas.matrix("B", type_, b, m, n, ldb, writes=True)

    def work() -> None:
        lower = (uplo == _UPPER) != (trans == NONE)
        turned, right = oriented(blas.values(type_, matrix), trans), factor * blas.values(type_, out)
        if side == _LEFT:
            blas.store(type_, out, solved(turned, right, lower, diag == _UNIT))
        else:  # X op(A) = B is op(A)' X' = B'
            blas.store(type_, out, solved(turned.T, right.T, not lower, diag == _UNIT).T)

    blas.compute(work)


@each(CALLS, "cublas{}geam", "SDCZ")
def geam(
    call: LibraryCall, type_: Element, handle: int, transa: int, transb: int, m: int, n: int, alpha: int, a: int,
    lda: int, beta: int, b: int, ldb: int, c: int, ldc: int,
) -> Steps:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(transa=transa, transb=transb)
    require_least(0, m=m, n=n)
    by_a = yield from blas.scalar("alpha", type_, alpha)
    by_b = yield from blas.scalar("beta", type_, beta)
    terms = []
    for name, factor, address, leading, trans in (("A", by_a, a, lda, transa), ("B", by_b, b, ldb, transb)):
        if factor != 0:
            shape = (m, n) if trans == NONE else (n, m)
            terms.append((factor, trans, blas.matrix(name, type_, address, *shape, leading)))
    out = blas.matrix("C", type_, c, m, n, ldc, reads=False, writes=True)

    def work() -> None:
        zeros = np.zeros((m, n), type_.computed)
        parts = [factor * oriented(blas.values(type_, matrix), trans) for factor, trans, matrix in terms]
        blas.store(type_, out, sum(parts, zeros))

    blas.compute(work)


@each(CALLS, "cublas{}dgmm", "SDCZ")
def dgmm(
    call: LibraryCall, type_: Element, handle: int, mode: int, m: int, n: int, a: int, lda: int, x: int, incx: int,
    c: int, ldc: int,
) -> None:  # fmt: skip
    blas = Blas(call, handle)
    _require_flags(mode=mode)
    require_least(0, m=m, n=n)
    matrix = blas.matrix("A", type_, a, m, n, lda)
    xs = blas.vector("x", type_, x, m if mode == _LEFT else n, incx)
    out = blas.matrix("C", type_, c, m, n, ldc, reads=False, writes=True)

    def work() -> None:
        factors = blas.values(type_, xs)
        scaled = blas.values(type_, matrix) * (factors[:, None] if mode == _LEFT else factors)
        blas.store(type_, out, scaled)

    blas.compute(work)
