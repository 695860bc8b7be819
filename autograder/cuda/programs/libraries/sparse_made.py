"""cuSPARSE's descriptions of matrices and vectors: how they are made, queried and changed."""

from __future__ import annotations

from .calls import Function, LibraryCall, Read, RefusedError, Steps, Write
from .sparse import (
    COLUMNS,
    COO,
    CSC,
    CSR,
    INVALID_VALUE,
    ROWS,
    DenseMatrix,
    DenseVector,
    Described,
    Indexed,
    SparseMatrix,
    SparseVector,
    found,
    index_type,
    make,
    require_least,
    typed,
)


def _put(call: LibraryCall, *outs: tuple[str, int, int, int]) -> Steps:
    """Give the program numbers, each by an argument's name, its address, the number and its bytes."""
    for name, address, number, size in outs:
        yield Write(call.host(INVALID_VALUE, name, address), number.to_bytes(size, "little", signed=number < 0))


def _base(number: int) -> int:
    if number not in (0, 1):
        raise RefusedError(INVALID_VALUE, "idxBase", "value", number=number)
    return number


def create_vector(call: LibraryCall, out: int, size: int, values: int, type_: int) -> Steps:
    require_least(0, size=size)
    return make(call, "dnVecDescr", out, DenseVector(size, values, typed(type_, "valueType"), type_))


def create_sparse_vector(
    call: LibraryCall, out: int, size: int, count: int, indices: int, values: int, of_index: int, base: int, type_: int
) -> Steps:
    require_least(0, size=size, nnz=count)
    made = SparseVector(
        size, count, indices, values, index_type(of_index, "idxType"), _base(base), typed(type_, "valueType"), type_
    )
    return make(call, "spVecDescr", out, made)


def create_matrix(
    call: LibraryCall, out: int, rows: int, columns: int, leading: int, values: int, type_: int, order: int
) -> Steps:
    require_least(0, rows=rows, cols=columns)
    if order not in (COLUMNS, ROWS):
        raise RefusedError(INVALID_VALUE, "order", "value", number=order)
    require_least(rows if order == COLUMNS else columns, ld=leading)
    made = DenseMatrix(rows, columns, leading, values, typed(type_, "valueType"), type_, order)
    return make(call, "dnMatDescr", out, made)


def create_compressed(
    call: LibraryCall, out: int, rows: int, columns: int, count: int, first: int, second: int, values: int,
    of_first: int, of_second: int, base: int, type_: int,
) -> Steps:  # fmt: skip
    require_least(0, rows=rows, cols=columns, nnz=count)
    made = SparseMatrix(
        CSC if "Csc" in call.name else CSR, rows, columns, count, first, second, values,
        index_type(of_first, "the type of offsets"), index_type(of_second, "the type of indices"), _base(base),
        typed(type_, "valueType"), type_,
    )  # fmt: skip
    return make(call, "spMatDescr", out, made)


def create_coo(
    call: LibraryCall, out: int, rows: int, columns: int, count: int, first: int, second: int, values: int,
    of_index: int, base: int, type_: int,
) -> Steps:  # fmt: skip
    require_least(0, rows=rows, cols=columns, nnz=count)
    index = index_type(of_index, "cooIdxType")
    made = SparseMatrix(
        COO, rows, columns, count, first, second, values, index, index, _base(base), typed(type_, "valueType"), type_
    )
    return make(call, "spMatDescr", out, made)


def destroy(call: LibraryCall, number: int) -> None:
    """A description that is null is none, too."""
    if number and call.state.libraries.pop(number, None) is None:
        raise RefusedError(INVALID_VALUE, "descriptor", "handle")


def set_values(call: LibraryCall, number: int, values: int) -> None:
    found(call, Described, "descriptor", number).values = values


def get_values(call: LibraryCall, number: int, out: int) -> Steps:
    made = found(call, Described, "descriptor", number)
    return _put(call, ("values", out, made.values, 8))


def set_pointers(call: LibraryCall, number: int, first: int, second: int, values: int) -> None:
    matrix = found(call, SparseMatrix, "spMatDescr", number)
    matrix.first, matrix.second, matrix.values = first, second, values


def size(call: LibraryCall, number: int, rows: int, columns: int, count: int) -> Steps:
    matrix = found(call, SparseMatrix, "spMatDescr", number)
    return _put(
        call, ("rows", rows, matrix.rows, 8), ("cols", columns, matrix.columns, 8), ("nnz", count, matrix.count, 8)
    )


def get_format(call: LibraryCall, number: int, out: int) -> Steps:
    return _put(call, ("format", out, found(call, SparseMatrix, "spMatDescr", number).format, 4))


def get_base(call: LibraryCall, number: int, out: int) -> Steps:
    return _put(call, ("idxBase", out, found(call, Indexed, "descriptor", number).base, 4))


def get_vector(call: LibraryCall, number: int, size: int, values: int, type_: int) -> Steps:
    vector = found(call, DenseVector, "dnVecDescr", number)
    return _put(
        call, ("size", size, vector.size, 8), ("values", values, vector.values, 8),
        ("valueType", type_, vector.type_number, 4),
    )  # fmt: skip


def get_matrix(
    call: LibraryCall, number: int, rows: int, columns: int, leading: int, values: int, type_: int, order: int
) -> Steps:
    matrix = found(call, DenseMatrix, "dnMatDescr", number)
    return _put(
        call, ("rows", rows, matrix.rows, 8), ("cols", columns, matrix.columns, 8), ("ld", leading, matrix.leading, 8),
        ("values", values, matrix.values, 8), ("type", type_, matrix.type_number, 4), ("order", order, matrix.order, 4),
    )  # fmt: skip


def set_attribute(call: LibraryCall, number: int, which: int, data: int, bytes_: int) -> Steps:
    matrix = found(call, SparseMatrix, "spMatDescr", number)
    if which not in (0, 1):
        raise RefusedError(INVALID_VALUE, "attribute", "value", number=which)
    value = int.from_bytes((yield Read(call.host(INVALID_VALUE, "data", data), 4)), "little")
    if value not in (0, 1):
        raise RefusedError(INVALID_VALUE, "data", "value", number=value)
    setattr(matrix, ("fill", "diagonal")[which], value)


def set_dense_batch(call: LibraryCall, number: int, count: int, stride: int) -> None:
    matrix = found(call, DenseMatrix, "dnMatDescr", number)
    require_least(1, batchCount=count)
    matrix.batch, matrix.stride = count, stride


def set_batch(call: LibraryCall, number: int, count: int, first: int, second: int | None = None) -> None:
    """Of COO, one distance is that of all three lists."""
    matrix = found(call, SparseMatrix, "spMatDescr", number)
    require_least(1, batchCount=count)
    matrix.batch, matrix.first_stride, matrix.stride = count, first, first if second is None else second


CALLS: dict[str, Function] = {
    "cusparseCreateDnVec": create_vector,
    "cusparseCreateSpVec": create_sparse_vector,
    "cusparseCreateDnMat": create_matrix,
    **dict.fromkeys(("cusparseCreateCsr", "cusparseCreateCsc"), create_compressed),
    "cusparseCreateCoo": create_coo,
    **{f"cusparseDestroy{kind}": destroy for kind in ("DnVec", "SpVec", "DnMat", "SpMat")},
    **{f"cusparse{kind}SetValues": set_values for kind in ("DnVec", "SpVec", "DnMat", "SpMat")},
    **{f"cusparse{kind}GetValues": get_values for kind in ("DnVec", "SpVec", "DnMat", "SpMat")},
    **{f"cusparse{kind}SetPointers": set_pointers for kind in ("Csr", "Csc", "Coo")},
    **{f"cusparse{kind}SetStridedBatch": set_batch for kind in ("Csr", "Coo")},
    "cusparseDnMatSetStridedBatch": set_dense_batch,
    "cusparseDnVecGet": get_vector,
    "cusparseDnMatGet": get_matrix,
    "cusparseSpMatGetSize": size,
    "cusparseSpMatGetFormat": get_format,
    **{f"cusparse{kind}GetIndexBase": get_base for kind in ("SpMat", "SpVec")},
    "cusparseSpMatSetAttribute": set_attribute,
}
