"""cuBLASLt: products of matrices by layouts, with a bias or an activation that follows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import UsageError
from .blas import (
    EXECUTION_FAILED,
    INVALID_VALUE,
    NONE,
    NOT_INITIALIZED,
    TRANSPOSED,
    Blas,
    Handle,
    handle_of,
    oriented,
    require_least,
)
from .blas_products import scalars_of, typed
from .calls import Function, LibraryCall, Read, RefusedError, Steps
from .operands import Element, Operand

__all__ = ["CALLS", "EXECUTION_FAILED"]
#: Of cublasLtMatmulDescAttributes_t and cublasLtMatrixLayoutAttribute_t.
_POINTER_MODE, _TRANSA, _TRANSB, _EPILOGUE, _BIAS, _AUX, _AUX_LD, _BIAS_TYPE = 2, 3, 4, 7, 8, 11, 12, 26
_TYPE, _ORDER, _ROWS, _COLUMNS, _LEADING, _COUNT, _STRIDE = range(7)
#: The bits of cublasLtEpilogue_t.
_RELU, _ADDS_BIAS, _GELU, _KEEPS = 2, 4, 32, 128
_EPILOGUES = {base | bias for base in (0, _RELU, _GELU, _GELU | _KEEPS) for bias in (0, _ADDS_BIAS)} - {0} | {1}


@dataclass
class Description:
    """A product's: the type of its sums, and attributes by their numbers."""

    compute: int
    values: dict[int, int] = field(default_factory=dict)


@dataclass
class Layout:
    """A matrix's: its attributes by their numbers."""

    values: dict[int, int]


def create(call: LibraryCall, out: int) -> Steps:
    return call.new(Handle(stream=call.state.default), INVALID_VALUE, "handle", out)


def destroy(call: LibraryCall, handle: int) -> None:
    if call.state.libraries.pop(handle, None) is None:
        raise RefusedError(NOT_INITIALIZED, "handle", "handle")


def describe(call: LibraryCall, out: int, compute: int, scale: int) -> Steps:
    return call.new(Description(compute), INVALID_VALUE, "handle", out)


def lay_out(call: LibraryCall, out: int, type_: int, rows: int, columns: int, leading: int) -> Steps:
    require_least(0, rows=rows, cols=columns)
    made = Layout({_TYPE: type_, _ROWS: rows, _COLUMNS: columns, _LEADING: leading})
    return call.new(made, INVALID_VALUE, "handle", out)


def set_attribute(call: LibraryCall, made: int, which: int, value: int, size: int) -> Steps:
    kind = Layout if "Layout" in call.name else Description
    found = call.found(kind, INVALID_VALUE, "layout" if kind is Layout else "description", made)
    held = yield Read(call.host(INVALID_VALUE, "value", value), size)
    found.values[which] = int.from_bytes(held, "little", signed=True)  # type: ignore[attr-defined]


def _matrix(
    blas: Blas, name: str, layout: Layout, address: int, *, reads: bool, writes: bool
) -> tuple[Element, Operand, int]:
    """Return a matrix, or a batch of them: its type, what it is by columns, and the operation that makes it what it
    is."""
    of = layout.values
    type_, by_rows = typed(of[_TYPE], f"{name}type"), bool(of.get(_ORDER))
    shape = (of[_COLUMNS], of[_ROWS]) if by_rows else (of[_ROWS], of[_COLUMNS])
    operand = blas.matrix(name, type_, address, *shape, of[_LEADING], reads=reads, writes=writes)
    if _COUNT in of:
        operand = blas.batch(operand, of.get(_STRIDE, 0), of[_COUNT])
    return type_, operand, TRANSPOSED if by_rows else NONE


def matmul(
    call: LibraryCall, handle: int, description: int, alpha: int, a: int, of_a: int, b: int, of_b: int, beta: int,
    c: int, of_c: int, d: int, of_d: int, stream: int,
) -> Steps:  # fmt: skip
    handle_of(call, handle)
    product = call.found(Description, INVALID_VALUE, "description", description)
    given = product.values
    epilogue = given.get(_EPILOGUE, 1)
    if epilogue not in _EPILOGUES:
        raise UsageError(
            f"{call.place.file} line {call.place.line} asks cublasLtMatmul for epilogue {epilogue}, which is not "
            "emulated."
        )
    blas = Blas(call, handle)
    blas.handle = Handle(given.get(_POINTER_MODE, 0), stream)
    layouts = [
        call.found(Layout, INVALID_VALUE, f"{name}desc", number)
        for name, number in zip("ABCD", (of_a, of_b, of_c, of_d), strict=True)
    ]
    scalars = scalars_of(product.compute, typed(layouts[3].values[_TYPE], "Dtype"))
    by_product = yield from blas.scalar("alpha", scalars, alpha)
    by_c = yield from blas.scalar("beta", scalars, beta)
    left, right = (
        _matrix(blas, name, layout, address, reads=by_product != 0, writes=False)
        for name, layout, address in zip("AB", layouts[:2], (a, b), strict=True)
    )
    held = _matrix(blas, "C", layouts[2], c, reads=True, writes=False) if by_c != 0 else None
    out = _matrix(blas, "D", layouts[3], d, reads=False, writes=True)
    inner, expected = _inner(layouts[0], given.get(_TRANSA, 0), 1), _inner(layouts[1], given.get(_TRANSB, 0), 0)
    if inner != expected:
        raise RefusedError(INVALID_VALUE, "Bdesc", "shape", number=expected, least=inner)
    rows, columns = layouts[3].values[_ROWS], layouts[3].values[_COLUMNS]
    bias = aux = None
    bias_type = typed(given[_BIAS_TYPE], "bias type") if given.get(_BIAS_TYPE, -1) >= 0 else out[0]
    if epilogue & _ADDS_BIAS:
        bias = blas.vector("bias", bias_type, given.get(_BIAS, 0), rows, 1)
    if epilogue & _KEEPS:
        aux = blas.matrix(
            "aux", out[0], given.get(_AUX, 0), rows, columns, given.get(_AUX_LD, 0), reads=False, writes=True
        )

    def loaded(matrix: tuple[Element, Operand, int], operation: int) -> np.ndarray:
        type_, operand, order = matrix
        return oriented(oriented(blas.values(type_, operand), order), operation).astype(scalars.computed, copy=False)

    def work() -> None:
        values = by_product * (loaded(left, given.get(_TRANSA, 0)) @ loaded(right, given.get(_TRANSB, 0)))
        if held:
            values = values + by_c * loaded(held, NONE)
        if bias:
            values = values + blas.values(bias_type, bias).astype(scalars.computed, copy=False)[:, None]
        if aux:
            blas.store(out[0], aux, values)
        if epilogue & _RELU:
            values = np.maximum(values, 0)
        if epilogue & _GELU:
            values = 0.5 * values * (1 + np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3)))
        blas.store(out[0], out[1], oriented(values, out[2]))

    blas.compute(work)


def _inner(layout: Layout, operation: int, axis: int) -> int:
    """Return the size of a factor along which products are summed: of the left one axis 1, of the right one 0."""
    return layout.values[_ROWS if (axis == 0) == (operation == NONE) else _COLUMNS]


CALLS: dict[str, Function] = {
    "cublasLtCreate": create,
    **dict.fromkeys(("cublasLtDestroy", "cublasLtMatmulDescDestroy", "cublasLtMatrixLayoutDestroy"), destroy),
    "cublasLtMatmulDescCreate": describe,
    "cublasLtMatrixLayoutCreate": lay_out,
    **dict.fromkeys(("cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutSetAttribute"), set_attribute),
    "cublasLtMatmul": matmul,
}
