"""cuSPARSE: its handles, conversions, and its functions of vectors. Descriptions are in `sparse_made`, products in
`sparse_products`, solutions in `sparse_solves`."""

from __future__ import annotations

import numpy as np

from .blas import ON_GPU, handle_of
from .calls import Function, LibraryCall, StatusSteps, Steps, Write, WrongIndexError
from .operands import element
from .sparse import (
    COO,
    CSC,
    CSR,
    EXECUTION_FAILED,
    INVALID_VALUE,
    DenseMatrix,
    DenseVector,
    Sparse,
    SparseHandle,
    SparseMatrix,
    SparseVector,
    found,
    make,
    require_least,
    require_operation,
    require_size,
    typed,
    wide,
)
from .sparse_made import CALLS as MADE
from .sparse_products import CALLS as PRODUCTS
from .sparse_solves import CALLS as SOLVES

__all__ = ["CALLS", "EXECUTION_FAILED"]
_VERSION = 12510
_INT = element(np.int32)


def create(call: LibraryCall, out: int) -> Steps:
    return make(call, "handle", out, SparseHandle())


def destroy(call: LibraryCall, handle: int) -> None:
    handle_of(call, handle, SparseHandle)
    call.state.timeline.synchronize()
    del call.state.libraries[handle]


def version(call: LibraryCall, handle: int, out: int) -> Steps:
    handle_of(call, handle, SparseHandle)
    yield Write(call.host(INVALID_VALUE, "version", out), _VERSION.to_bytes(4, "little"))


def set_stream(call: LibraryCall, handle: int, stream: int) -> None:
    made = handle_of(call, handle, SparseHandle)
    call.state.require(stream)
    made.stream = stream


def get_stream(call: LibraryCall, handle: int, out: int) -> Steps:
    stream = handle_of(call, handle, SparseHandle).stream
    yield Write(call.host(INVALID_VALUE, "streamId", out), stream.to_bytes(8, "little"))


def set_pointer_mode(call: LibraryCall, handle: int, mode: int) -> None:
    handle_of(call, handle, SparseHandle).mode = ON_GPU if mode else 0


def get_pointer_mode(call: LibraryCall, handle: int, out: int) -> Steps:
    mode = handle_of(call, handle, SparseHandle).mode
    yield Write(call.host(INVALID_VALUE, "mode", out), mode.to_bytes(4, "little"))


def buffer_size(call: LibraryCall, handle: int, *numbers: int) -> Steps:
    """How much memory a function needs to work in: its last argument says where the number goes."""
    return Sparse(call, handle).put_size(numbers[-1])


def prepare(call: LibraryCall, handle: int, *numbers: int) -> None:
    """A preparation that changes no result."""
    handle_of(call, handle, SparseHandle)


def sparse_to_dense(call: LibraryCall, handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    sparse = Sparse(call, handle)
    given, made = found(call, SparseMatrix, "matA", a), found(call, DenseMatrix, "matB", b)
    require_size("matB", made.rows, given.rows)
    require_size("matB", made.columns, given.columns)
    stored, out = sparse.stored("matA", given), sparse.dense("matB", made, reads=False, writes=True)
    sparse.work_in(buffer)

    def work() -> None:
        rows, columns, values = sparse.entries(stored)
        whole = np.zeros((made.rows, made.columns), values.dtype)
        np.add.at(whole, (rows, columns), values)
        sparse.store(made.type, out, whole)

    sparse.compute(work)


def _stored(values: np.ndarray, format_: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what is not 0 of a dense matrix, in the order of a format: places along its first axis and the other,
    values."""
    by_lines = values.T if format_ == CSC else values
    first, second = np.nonzero(by_lines)
    return first, second, by_lines[first, second]


def analyze_dense(call: LibraryCall, handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    """Count the elements, for which the program then makes room, and compute the offsets."""
    sparse = Sparse(call, handle)
    given, made = found(call, DenseMatrix, "matA", a), found(call, SparseMatrix, "matB", b)
    require_size("matB", made.rows, given.rows)
    require_size("matB", made.columns, given.columns)
    call.require_uncaptured(sparse.handle.stream)
    whole, offsets = sparse.dense("matA", given), None
    sparse.work_in(buffer)
    if made.format != COO and made.first:
        lines = made.columns if made.format == CSC else made.rows
        offsets = sparse.vector(
            "the offsets of matB", made.first_type, made.first, lines + 1, 1, reads=False, writes=True
        )

    def work() -> None:
        first, _, values = _stored(call.array(whole), made.format)
        made.count = len(values)
        if offsets:
            call.array(offsets)[...] = np.searchsorted(first, np.arange(offsets.size)) + made.base

    sparse.compute(work)


def dense_to_sparse(call: LibraryCall, handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    sparse = Sparse(call, handle)
    given, made = found(call, DenseMatrix, "matA", a), found(call, SparseMatrix, "matB", b)
    whole = sparse.dense("matA", given)
    stored = sparse.stored("matB", made, writes=True, pattern=True)
    sparse.work_in(buffer)

    def work() -> None:
        first, second, values = _stored(call.array(whole), made.format)
        if len(values) != stored.values.size:
            raise WrongIndexError(argument="matB", why="count", number=len(values), count=stored.values.size)
        of_first = first if made.format == COO else np.searchsorted(first, np.arange(stored.first.size))
        call.array(stored.first)[...] = of_first + made.base
        call.array(stored.second)[...] = second + made.base
        call.array(stored.values)[...] = values

    sparse.compute(work)


def coo_to_csr(call: LibraryCall, handle: int, rows: int, count: int, m: int, offsets: int, base: int) -> None:
    sparse = Sparse(call, handle)
    require_least(0, nnz=count, m=m)
    of_rows = sparse.vector("cooRowInd", _INT, rows, count, 1)
    out = sparse.vector("csrRowPtr", _INT, offsets, m + 1, 1, reads=False, writes=True)

    def work() -> None:
        call.array(out)[...] = np.searchsorted(call.array(of_rows), np.arange(m + 1) + base) + base

    sparse.compute(work)


def csr_to_coo(call: LibraryCall, handle: int, offsets: int, count: int, m: int, rows: int, base: int) -> None:
    sparse = Sparse(call, handle)
    require_least(0, nnz=count, m=m)
    given = sparse.vector("csrRowPtr", _INT, offsets, m + 1, 1)
    out = sparse.vector("cooRowInd", _INT, rows, count, 1, reads=False, writes=True)

    def work() -> None:
        starts = call.array(given).astype(np.int64) - base
        sparse.require_offsets(given, starts, count, base)
        call.array(out)[: starts[-1]] = np.repeat(np.arange(m), np.diff(starts)) + base

    sparse.compute(work)


def csr_to_csc(
    call: LibraryCall, handle: int, m: int, n: int, count: int, values: int, offsets: int, columns: int,
    made_values: int, made_offsets: int, made_rows: int, type_: int, action: int, base: int, algorithm: int,
    buffer: int,
) -> None:  # fmt: skip
    """By rows and then by columns; without the values, if `action` is CUSPARSE_ACTION_SYMBOLIC."""
    sparse, of = Sparse(call, handle), typed(type_, "valType")
    require_least(0, m=m, n=n, nnz=count)
    lists = _INT, _INT, base, of, type_
    given = SparseMatrix(CSR, m, n, count, offsets, columns, values, *lists)
    made = SparseMatrix(CSC, m, n, count, made_offsets, made_rows, made_values, *lists)
    stored = sparse.stored("the input", given, valued=bool(action))
    out = sparse.stored("the output", made, writes=True, pattern=True, valued=bool(action))
    sparse.work_in(buffer)

    def work() -> None:
        rows, of_columns = sparse.pattern(stored)
        order = np.argsort(of_columns, kind="stable")
        call.array(out.first)[...] = np.searchsorted(of_columns[order], np.arange(n + 1)) + base
        call.array(out.second)[...] = rows[order] + base
        if action:
            call.array(out.values)[...] = call.array(stored.values)[order]

    sparse.compute(work)


def axpby(call: LibraryCall, handle: int, alpha: int, x: int, beta: int, y: int) -> Steps:
    """Y = alpha X + beta Y."""
    sparse = Sparse(call, handle)
    given, made = found(call, SparseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    require_size("vecY", made.size, given.size)
    factor = yield from sparse.scalar("alpha", made.type, alpha)
    by_y = yield from sparse.scalar("beta", made.type, beta)
    stored, out = sparse.sparse_vector("vecX", given), sparse.dense_vector("vecY", made, writes=True)

    def work() -> None:
        values = by_y * wide(sparse.values(made.type, out))
        np.add.at(values, sparse.indices(stored), factor * wide(sparse.values(given.type, stored.values)))
        sparse.store(made.type, out, values)

    sparse.compute(work)


def gather(call: LibraryCall, handle: int, y: int, x: int) -> None:
    """The elements of Y at the places of X."""
    sparse = Sparse(call, handle)
    made, given = found(call, SparseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    require_size("vecY", given.size, made.size)
    stored = sparse.sparse_vector("vecX", made, reads=False, writes=True)
    of_y = sparse.dense_vector("vecY", given)

    def work() -> None:
        call.array(stored.values)[...] = call.array(of_y)[sparse.indices(stored)]

    sparse.compute(work)


def scatter(call: LibraryCall, handle: int, x: int, y: int) -> None:
    """The elements of X, at their places in Y."""
    sparse = Sparse(call, handle)
    given, made = found(call, SparseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    require_size("vecY", made.size, given.size)
    stored, out = sparse.sparse_vector("vecX", given), sparse.dense_vector("vecY", made, reads=False, writes=True)

    def work() -> None:
        call.array(out)[sparse.indices(stored)] = call.array(stored.values)

    sparse.compute(work)


def dot(
    call: LibraryCall, handle: int, operation: int, x: int, y: int, result: int, type_: int, buffer: int
) -> StatusSteps:
    sparse, of = Sparse(call, handle), typed(type_, "computeType")
    require_operation(opX=operation)
    given, other = found(call, SparseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    require_size("vecY", other.size, given.size)
    stored, of_y = sparse.sparse_vector("vecX", given), sparse.dense_vector("vecY", other)
    sparse.work_in(buffer)

    def work() -> object:
        values = wide(sparse.values(given.type, stored.values))
        return np.sum(
            (values.conj() if operation == 2 else values)
            * wide(sparse.values(other.type, of_y))[sparse.indices(stored)]
        )

    return sparse.result("result", of.dtype, result, work)


def rotate(call: LibraryCall, handle: int, cosine: int, sine: int, x: int, y: int) -> Steps:
    """Rotate X and the elements of Y at its places."""
    sparse = Sparse(call, handle)
    given, other = found(call, SparseVector, "vecX", x), found(call, DenseVector, "vecY", y)
    require_size("vecY", other.size, given.size)
    c = yield from sparse.scalar("c_coeff", other.type, cosine)
    s = yield from sparse.scalar("s_coeff", other.type, sine)
    stored = sparse.sparse_vector("vecX", given, writes=True)
    of_y = sparse.dense_vector("vecY", other, writes=True)

    def work() -> None:
        at, xs, ys = sparse.indices(stored), wide(sparse.values(given.type, stored.values)), call.array(of_y)
        held = wide(other.type.load(ys[at]))
        sparse.store(given.type, stored.values, c * xs + s * held)
        ys[at] = other.type.store(c * held - s * xs)

    sparse.compute(work)


_SIZES = ("SpMV", "SpMM", "SDDMM", "SpVV", "SpSV", "SpSM", "SparseToDense", "DenseToSparse", "Csr2cscEx2")
CALLS: dict[str, Function] = {
    **MADE,
    **PRODUCTS,
    **SOLVES,
    "cusparseCreate": create,
    "cusparseDestroy": destroy,
    "cusparseGetVersion": version,
    "cusparseSetStream": set_stream,
    "cusparseGetStream": get_stream,
    "cusparseSetPointerMode": set_pointer_mode,
    "cusparseGetPointerMode": get_pointer_mode,
    **{f"cusparse{name}_bufferSize": buffer_size for name in _SIZES},
    **{f"cusparse{name}_preprocess": prepare for name in ("SpMV", "SpMM", "SDDMM")},
    "cusparseSparseToDense": sparse_to_dense,
    "cusparseDenseToSparse_analysis": analyze_dense,
    "cusparseDenseToSparse_convert": dense_to_sparse,
    "cusparseXcoo2csr": coo_to_csr,
    "cusparseXcsr2coo": csr_to_coo,
    "cusparseCsr2cscEx2": csr_to_csc,
    "cusparseAxpby": axpby,
    "cusparseGather": gather,
    "cusparseScatter": scatter,
    "cusparseRot": rotate,
    "cusparseSpVV": dot,
}
