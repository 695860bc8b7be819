"""cuBLASLt's products of matrices, for measure_tensor_bulk.py. CuPy has no names for its functions.

cuBLAS picks one algorithm for a product; cuBLASLt lists those that its heuristic takes for the fastest, for the caller
to choose from.
"""

import ctypes
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cupy as cp
import numpy as np

#: Per type: cudaDataType.
_STORED = {"FP16": 2, "BF16": 14, "TF32": 0, "FP32": 0}
_FLOAT, _COMPUTE_32F, _COMPUTE_TF32 = 0, 68, 77  # CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32
_WORKSPACE_BYTES = 1  # CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
WORKSPACE = 64 << 20
MOST = 16  # algorithms that are asked for
_SCALES = np.array([1.0, 0.0], np.float32)  # of a b, and of what c was


class _Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""

    _fields_ = (
        *(("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int)),
        *(("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)),
    )


@cache
def _library() -> ctypes.CDLL:
    """The cuBLASLt that CuPy's cuBLAS has loaded: both are then of one version."""
    cp.cuda.device.get_cublas_handle()
    found = set(re.findall(r"/\S*/libcublasLt\.so\S*", Path("/proc/self/maps").read_text()))
    assert len(found) == 1, f"CuPy's cuBLAS has loaded {sorted(found)}"
    return ctypes.CDLL(found.pop())


def _call(function: str, *args: object) -> None:
    status = getattr(_library(), function)(*args)
    assert status == 0, f"{function}: cuBLAS's error {status}"


def version() -> str:
    """cuBLASLt's version, such as "13.1.0"."""
    function = _library().cublasLtGetVersion
    function.restype = ctypes.c_size_t
    number = int(function())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


@cache
def _workspace() -> cp.ndarray:
    return cp.empty(WORKSPACE, cp.uint8)


@cache
def _handle() -> ctypes.c_void_p:
    made = ctypes.c_void_p()
    _call("cublasLtCreate", ctypes.byref(made))
    return made


def _layout(kind: str, rows: int, cols: int) -> ctypes.c_void_p:
    """A matrix whose rows are contiguous, which cuBLASLt takes for its transpose: it counts by columns."""
    made = ctypes.c_void_p()
    _call(
        "cublasLtMatrixLayoutCreate",
        *(ctypes.byref(made), _STORED[kind], ctypes.c_uint64(cols), ctypes.c_uint64(rows), ctypes.c_int64(cols)),
    )
    return made


def products(kind: str, output: str, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray) -> list[Callable[[], None]]:
    """c = a b by each algorithm that the heuristic lists for WORKSPACE bytes, the best first. As with cuBLAS,
    c' = b' a' is what is asked for."""
    (rows, depth), cols = a.shape, b.shape[1]
    operation, preference = ctypes.c_void_p(), ctypes.c_void_p()
    compute = _COMPUTE_TF32 if kind == "TF32" else _COMPUTE_32F
    _call("cublasLtMatmulDescCreate", ctypes.byref(operation), compute, _FLOAT)
    first, second, result = _layout(kind, depth, cols), _layout(kind, rows, depth), _layout(output, rows, cols)
    _call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
    most, size = ctypes.c_uint64(WORKSPACE), ctypes.c_size_t(8)
    _call("cublasLtMatmulPreferenceSetAttribute", preference, _WORKSPACE_BYTES, ctypes.byref(most), size)
    listed, count = (_Heuristic * MOST)(), ctypes.c_int()
    _call(
        "cublasLtMatmulAlgoGetHeuristic",
        *(_handle(), operation, first, second, result, result, preference, MOST, listed, ctypes.byref(count)),
    )
    one, zero = (ctypes.c_void_p(_SCALES.ctypes.data + place) for place in (0, 4))

    def product(algorithm: ctypes.Array[ctypes.c_uint64]) -> Callable[[], None]:
        x, y, z, room = (ctypes.c_void_p(array.data.ptr) for array in (b, a, c, _workspace()))
        given = (_handle(), operation, one, x, first, y, second, zero, z, result, z, result)
        own = (ctypes.byref(algorithm), room, ctypes.c_size_t(WORKSPACE), None)
        return lambda: _call("cublasLtMatmul", *given, *own)

    return [product(one_of.algorithm) for one_of in listed[: count.value] if one_of.state == 0]
