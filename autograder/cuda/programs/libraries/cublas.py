"""cuBLAS: its handles, and its functions of vectors. Those of matrices are in `blas_matrices`, `blas_products`
and `blas_factors`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .blas import EXECUTION_FAILED, INVALID_VALUE, Blas, Handle, each, handle_of, require_one
from .blas_factors import CALLS as FACTORS
from .blas_matrices import CALLS as MATRICES
from .blas_products import CALLS as PRODUCTS
from .calls import Function, LibraryCall, StatusSteps, Steps, Write
from .operands import COMPLEX, DOUBLE, DOUBLE_COMPLEX, FLOAT, Element

__all__ = ["CALLS", "EXECUTION_FAILED"]
_VERSION = 120901


def create(call: LibraryCall, handle: int) -> Steps:
    return call.new(Handle(stream=call.state.default), INVALID_VALUE, "handle", handle)


def destroy(call: LibraryCall, handle: int) -> None:
    """A handle's last call waits for the GPU, as cublasDestroy does."""
    handle_of(call, handle)
    call.state.timeline.synchronize(call.state.timeline.of_device(call.state.device))
    del call.state.libraries[handle]


def version(call: LibraryCall, handle: int, out: int) -> Steps:
    handle_of(call, handle)
    yield Write(call.host(INVALID_VALUE, "version", out), _VERSION.to_bytes(4, "little"))


def set_stream(call: LibraryCall, handle: int, stream: int) -> None:
    found = handle_of(call, handle)
    call.state.require(stream)
    found.stream = stream


def get_stream(call: LibraryCall, handle: int, out: int) -> Steps:
    yield Write(call.host(INVALID_VALUE, "stream", out), handle_of(call, handle).stream.to_bytes(8, "little"))


def set_pointer_mode(call: LibraryCall, handle: int, mode: int) -> None:
    require_one((0, 1), mode=mode)
    handle_of(call, handle).mode = mode


def get_pointer_mode(call: LibraryCall, handle: int, out: int) -> Steps:
    yield Write(call.host(INVALID_VALUE, "mode", out), handle_of(call, handle).mode.to_bytes(4, "little"))


def set_math_mode(call: LibraryCall, handle: int, mode: int) -> None:
    require_one((*range(4), *range(16, 20)), mode=mode)
    handle_of(call, handle).math = mode


def get_math_mode(call: LibraryCall, handle: int, out: int) -> Steps:
    yield Write(call.host(INVALID_VALUE, "mode", out), handle_of(call, handle).math.to_bytes(4, "little"))


def hint(call: LibraryCall, handle: int, *numbers: int) -> None:
    """What changes nothing here, such as memory to work in."""
    handle_of(call, handle)


CALLS: dict[str, Function] = {
    **MATRICES,
    **PRODUCTS,
    **FACTORS,
    "cublasCreate": create,
    "cublasDestroy": destroy,
    "cublasGetVersion": version,
    "cublasSetStream": set_stream,
    "cublasGetStream": get_stream,
    "cublasSetPointerMode": set_pointer_mode,
    "cublasGetPointerMode": get_pointer_mode,
    "cublasSetMathMode": set_math_mode,
    "cublasGetMathMode": get_math_mode,
    "cublasSetWorkspace": hint,
    "cublasSetAtomicsMode": hint,
}


@each(CALLS, "cublas{}axpy", "SDCZ")
def axpy(
    call: LibraryCall, type_: Element, handle: int, n: int, alpha: int, x: int, incx: int, y: int, incy: int
) -> Steps:
    blas = Blas(call, handle)
    factor = yield from blas.scalar("alpha", type_, alpha)
    xs = blas.vector("x", type_, x, n, incx, reads=factor != 0)
    ys = blas.vector("y", type_, y, n, incy, writes=True)
    blas.compute(lambda: blas.store(type_, ys, factor * blas.values(type_, xs) + blas.values(type_, ys)))


@each(CALLS, "cublas{}copy", "SDCZ")
def copy(call: LibraryCall, type_: Element, handle: int, n: int, x: int, incx: int, y: int, incy: int) -> None:
    blas = Blas(call, handle)
    xs = blas.vector("x", type_, x, n, incx)
    ys = blas.vector("y", type_, y, n, incy, reads=False, writes=True)
    blas.compute(lambda: blas.store(type_, ys, blas.values(type_, xs)))


@each(CALLS, "cublas{}swap", "SDCZ")
def swap(call: LibraryCall, type_: Element, handle: int, n: int, x: int, incx: int, y: int, incy: int) -> None:
    blas = Blas(call, handle)
    xs, ys = blas.vector("x", type_, x, n, incx, writes=True), blas.vector("y", type_, y, n, incy, writes=True)

    def work() -> None:
        held = blas.values(type_, xs).copy()
        blas.store(type_, xs, blas.values(type_, ys))
        blas.store(type_, ys, held)

    blas.compute(work)


def _scal(call: LibraryCall, type_: Element, real: Element, handle: int, n: int, alpha: int, x: int, inc: int) -> Steps:
    blas = Blas(call, handle)
    factor = yield from blas.scalar("alpha", real, alpha)
    xs = blas.vector("x", type_, x, n if inc > 0 else 0, inc, writes=True)
    blas.compute(lambda: blas.store(type_, xs, factor * blas.values(type_, xs)))


@each(CALLS, "cublas{}scal", "SDCZ")
def scal(call: LibraryCall, type_: Element, *numbers: int) -> Steps:
    return _scal(call, type_, type_, *numbers)


CALLS["cublasCsscal"] = lambda call, *numbers: _scal(call, COMPLEX, FLOAT, *numbers)
CALLS["cublasZdscal"] = lambda call, *numbers: _scal(call, DOUBLE_COMPLEX, DOUBLE, *numbers)


def _dot(
    call: LibraryCall, type_: Element, conjugated: bool, handle: int, n: int, x: int, incx: int, y: int, incy: int,
    result: int,
) -> StatusSteps:  # fmt: skip
    blas = Blas(call, handle)
    xs, ys = blas.vector("x", type_, x, n, incx), blas.vector("y", type_, y, n, incy)
    multiply = np.vdot if conjugated else np.dot

    def work() -> object:
        return multiply(blas.values(type_, xs), blas.values(type_, ys)) if xs.size else 0

    return blas.result("result", type_.dtype, result, work)


@each(CALLS, "cublas{}dot", "SD")
@each(CALLS, "cublas{}dotu", "CZ")
def dot(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    return _dot(call, type_, False, *numbers)


@each(CALLS, "cublas{}dotc", "CZ")
def dotc(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    return _dot(call, type_, True, *numbers)


def _reduce(
    call: LibraryCall, type_: Element, dtype: object, work: Callable[[np.ndarray], object], handle: int, n: int, x: int,
    inc: int, result: int,
) -> StatusSteps:  # fmt: skip
    blas = Blas(call, handle)
    xs = blas.vector("x", type_, x, n if inc > 0 else 0, inc)
    return blas.result("result", dtype, result, lambda: work(blas.values(type_, xs)) if xs.size else 0)


@each(CALLS, "cublas{}nrm2", ("S", "D", "Sc", "Dz"))
def nrm2(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    return _reduce(call, type_, _real(type_), np.linalg.norm, *numbers)


@each(CALLS, "cublas{}asum", ("S", "D", "Sc", "Dz"))
def asum(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    return _reduce(call, type_, _real(type_), lambda x: _sizes(x).sum(), *numbers)


@each(CALLS, "cublasI{}amax", "sdcz")
def amax(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    """The first of the largest, counted from 1."""
    return _reduce(call, type_, np.int32, lambda x: np.argmax(_sizes(x)) + 1, *numbers)


@each(CALLS, "cublasI{}amin", "sdcz")
def amin(call: LibraryCall, type_: Element, *numbers: int) -> StatusSteps:
    return _reduce(call, type_, np.int32, lambda x: np.argmin(_sizes(x)) + 1, *numbers)


def _real(type_: Element) -> np.dtype[np.generic]:
    return np.empty(0, type_.dtype).real.dtype


def _sizes(x: np.ndarray) -> np.ndarray:
    """Return what BLAS sums and compares: of a complex number, both parts."""
    sizes: np.ndarray = np.abs(x.real) + np.abs(x.imag) if np.iscomplexobj(x) else np.abs(x)
    return sizes


@each(CALLS, "cublas{}rot", "SD")
def rot(
    call: LibraryCall, type_: Element, handle: int, n: int, x: int, incx: int, y: int, incy: int, c: int, s: int
) -> Steps:
    blas = Blas(call, handle)
    cosine = yield from blas.scalar("c", type_, c)
    sine = yield from blas.scalar("s", type_, s)
    xs, ys = blas.vector("x", type_, x, n, incx, writes=True), blas.vector("y", type_, y, n, incy, writes=True)

    def work() -> None:
        of_x, of_y = blas.values(type_, xs).copy(), blas.values(type_, ys).copy()
        blas.store(type_, xs, cosine * of_x + sine * of_y)
        blas.store(type_, ys, cosine * of_y - sine * of_x)

    blas.compute(work)
