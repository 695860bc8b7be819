"""cuBLAS's products of general matrices: one, many at a distance, many by a list of addresses, and of several types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .blas import NONE, NOT_SUPPORTED, Blas, each, oriented, require_least, require_one
from .calls import Function, LibraryCall, RefusedError, Steps
from .operands import BFLOAT16, COMPLEX, DOUBLE, DOUBLE_COMPLEX, FLOAT, HALF, Element, Operand, element

CALLS: dict[str, Function] = {}
#: By the numbers of cudaDataType.
DATA_TYPES = {
    0: FLOAT, 1: DOUBLE, 2: HALF, 3: element(np.int8, np.int32), 4: COMPLEX, 5: DOUBLE_COMPLEX,
    10: element(np.int32), 14: BFLOAT16,
}  # fmt: skip
#: By the numbers of cublasComputeType_t, the type of the scalars and of the sums.
COMPUTE_TYPES = {
    **dict.fromkeys((64, 65), element(np.float16)), **dict.fromkeys((68, 69, 74, 75, 77), FLOAT),
    **dict.fromkeys((70, 71), DOUBLE), **dict.fromkeys((72, 73), element(np.int32)),
}  # fmt: skip


class Matrix(NamedTuple):
    """An argument of a product: its type, address, leading dimension, and the distance to the next one of a batch."""

    type: Element
    address: int
    leading: int
    stride: int = 0


class Product(NamedTuple):
    """C = alpha op(A) op(B) + beta C."""

    transa: int
    transb: int
    m: int
    n: int
    k: int


def multiply(
    blas: Blas, product: Product, scalars: Element, alpha: int, a: Matrix, b: Matrix, beta: int, c: Matrix,
    count: int | None = None, pointers: bool = False,
) -> Steps:  # fmt: skip
    """A product, or `count` of them, of which the addresses may be those of lists of `pointers`."""
    transa, transb, m, n, k = product
    require_one(range(3), transa=transa, transb=transb)
    require_least(0, m=m, n=n, k=k, **({} if count is None else {"batchCount": count}))
    by_product = yield from blas.scalar("alpha", scalars, alpha)
    by_c = yield from blas.scalar("beta", scalars, beta)
    shapes = ((m, k) if transa == NONE else (k, m), (k, n) if transb == NONE else (n, k), (m, n))
    reads = (by_product != 0, by_product != 0, by_c != 0)
    lists: Sequence[Sequence[int]] = [(a.address, b.address, c.address)]
    if pointers:
        lists = blas.lists(count or 0, Aarray=a.address, Barray=b.address, Carray=c.address)
    made: list[tuple[Operand, ...]] = []
    for addresses in lists:
        row = []
        for name, matrix, shape, address, is_read in zip("ABC", (a, b, c), shapes, addresses, reads, strict=True):
            operand = blas.matrix(name, matrix.type, address, *shape, matrix.leading, reads=is_read, writes=name == "C")
            row.append(operand if pointers or count is None else blas.batch(operand, matrix.stride, count))
        made.append(tuple(row))

    def work() -> None:
        for left, right, out in made:
            first = oriented(blas.values(a.type, left), transa).astype(scalars.computed, copy=False)
            other = oriented(blas.values(b.type, right), transb).astype(scalars.computed, copy=False)
            values = by_product * (first @ other)
            if by_c != 0:
                values = values + by_c * blas.values(c.type, out).astype(scalars.computed, copy=False)
            blas.store(c.type, out, values)

    blas.compute(work)


@each(CALLS, "cublas{}gemm", "SDCZH")
def gemm(
    call: LibraryCall, type_: Element, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int,
    a: int, lda: int, b: int, ldb: int, beta: int, c: int, ldc: int,
) -> Steps:  # fmt: skip
    matrices = Matrix(type_, a, lda), Matrix(type_, b, ldb), Matrix(type_, c, ldc)
    product = Product(transa, transb, m, n, k)
    return multiply(Blas(call, handle), product, type_, alpha, *matrices[:2], beta, matrices[2])


@each(CALLS, "cublas{}gemmStridedBatched", "SDCZH")
def gemm_strided(
    call: LibraryCall, type_: Element, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int,
    a: int, lda: int, stride_a: int, b: int, ldb: int, stride_b: int, beta: int, c: int, ldc: int, stride_c: int,
    count: int,
) -> Steps:  # fmt: skip
    left, right, out = Matrix(type_, a, lda, stride_a), Matrix(type_, b, ldb, stride_b), Matrix(type_, c, ldc, stride_c)
    product = Product(transa, transb, m, n, k)
    return multiply(Blas(call, handle), product, type_, alpha, left, right, beta, out, count)


@each(CALLS, "cublas{}gemmBatched", "SDCZH")
def gemm_batched(
    call: LibraryCall, type_: Element, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int,
    a: int, lda: int, b: int, ldb: int, beta: int, c: int, ldc: int, count: int,
) -> Steps:  # fmt: skip
    left, right, out = Matrix(type_, a, lda), Matrix(type_, b, ldb), Matrix(type_, c, ldc)
    product = Product(transa, transb, m, n, k)
    return multiply(Blas(call, handle), product, type_, alpha, left, right, beta, out, count, pointers=True)


def typed(number: int, name: str) -> Element:
    """Return the type of a number of cudaDataType. Raises RefusedError: it is not there."""
    if number not in DATA_TYPES:
        raise RefusedError(NOT_SUPPORTED, name, "value", number=number)
    return DATA_TYPES[number]


def scalars_of(compute: int, out: Element) -> Element:
    """Return the type of scalars and sums of a computation. Raises RefusedError: it is not there."""
    if compute not in COMPUTE_TYPES:
        raise RefusedError(NOT_SUPPORTED, "computeType", "value", number=compute)
    made = COMPUTE_TYPES[compute]
    if out.computed.kind == "c":
        made = DOUBLE_COMPLEX if made is DOUBLE else COMPLEX
    if (out.computed.kind == "i") != (made.computed.kind == "i"):
        raise RefusedError(NOT_SUPPORTED, "computeType", "types")
    return made


def gemm_ex(
    call: LibraryCall, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int,
    lda: int, b: int, type_b: int, ldb: int, beta: int, c: int, type_c: int, ldc: int, compute: int = 68,
) -> Steps:  # fmt: skip
    blas, out = Blas(call, handle), typed(type_c, "Ctype")
    left, right = Matrix(typed(type_a, "Atype"), a, lda), Matrix(typed(type_b, "Btype"), b, ldb)
    product, scalars = Product(transa, transb, m, n, k), scalars_of(compute, out)
    return multiply(blas, product, scalars, alpha, left, right, beta, Matrix(out, c, ldc))


def gemm_batched_ex(
    call: LibraryCall, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int,
    lda: int, b: int, type_b: int, ldb: int, beta: int, c: int, type_c: int, ldc: int, count: int, compute: int,
) -> Steps:  # fmt: skip
    blas, out = Blas(call, handle), typed(type_c, "Ctype")
    left, right = Matrix(typed(type_a, "Atype"), a, lda), Matrix(typed(type_b, "Btype"), b, ldb)
    product, scalars = Product(transa, transb, m, n, k), scalars_of(compute, out)
    return multiply(blas, product, scalars, alpha, left, right, beta, Matrix(out, c, ldc), count, pointers=True)


def gemm_strided_ex(
    call: LibraryCall, handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int,
    lda: int, stride_a: int, b: int, type_b: int, ldb: int, stride_b: int, beta: int, c: int, type_c: int, ldc: int,
    stride_c: int, count: int, compute: int,
) -> Steps:  # fmt: skip
    blas, out = Blas(call, handle), typed(type_c, "Ctype")
    left = Matrix(typed(type_a, "Atype"), a, lda, stride_a)
    right = Matrix(typed(type_b, "Btype"), b, ldb, stride_b)
    product, scalars = Product(transa, transb, m, n, k), scalars_of(compute, out)
    return multiply(blas, product, scalars, alpha, left, right, beta, Matrix(out, c, ldc, stride_c), count)


CALLS |= {
    **dict.fromkeys(("cublasGemmEx", "cublasSgemmEx"), gemm_ex),
    "cublasGemmBatchedEx": gemm_batched_ex,
    "cublasGemmStridedBatchedEx": gemm_strided_ex,
}
