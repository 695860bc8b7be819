"""A struct that is copied must be aligned as its type is declared, wherever it was cast from and to."""

from __future__ import annotations

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder.cuda.core.findings import Kind, MisalignedAccess
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc

pytestmark = inputs.emulation

#: {declared}: types; {copy}: of 8 threads, from one array of 80 numbers to another.
TEXT = """{declared}
__global__ void k(float* out)
{{
    __shared__ __align__(32) float from[80], to[80];
    int i = threadIdx.x;
    for (int j = i; j < 80; j += 8)
        from[j] = to[j] = j;
    __syncthreads();
    {copy};
    __syncthreads();
    out[i] = to[8 * i];
}}
"""
V = "struct {} V {{ float x, y, z, w; }};"
COPY = "*(V*)&to[8 * i{}] = *(const V*)&from[8 * i{}]"
THROUGH = """
template <class T, int N> __device__ void copy(float (&to)[N], const float (&from)[N], int a, int b)
{
    *reinterpret_cast<T*>(&to[a]) = *reinterpret_cast<const T*>(&from[b]);
}"""


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("declared", "copy", "width"),
    [
        ("using V = float4;", COPY.format("", " + 1"), 16),
        ("using V = float4;", COPY.format(" + 2", ""), 16),
        ("using V = float4;", COPY.format(" + 4", ""), None),
        ("using V = int2;", COPY.format("", " + 1"), 8),
        ("using V = int2;", COPY.format("", " + 2"), None),
        (V.format("alignas(16)"), COPY.format("", " + 1"), 16),
        (V.format("alignas(16)"), COPY.format("", " + 4"), None),
        (V.format(""), COPY.format("", " + 1"), None),
        ("struct alignas(32) V { float4 a; double b[2]; };", COPY.format("", " + 4"), 32),
        ("struct alignas(32) V { float4 a; double b[2]; };", COPY.format("", ""), None),
        ("using V = float4;" + THROUGH, "copy<V>(to, from, 8 * i, 8 * i + 2)", 16),
        (V.format("") + THROUGH, "copy<V>(to, from, 8 * i, 8 * i + 2)", None),
    ],
)
def test_a_copy_between_two_cast_arrays(declared: str, copy: str, width: int | None) -> None:
    run = Kernel(TEXT.format(declared=declared, copy=copy), "k").emulate(1, 8, [np.zeros(8, np.float32)])
    assert [f.kind for f in run.findings] == [Kind.MISALIGNED_ACCESS] * (width is not None)
    if width is None:
        return
    finding = only(MisalignedAccess, run.findings)
    assert finding.width == width
    access = finding.accesses[0]
    assert (access.thread, access.array) == ((0, 0, 0), "to" if copy.startswith("*(V*)&to[8 * i + 2]") else "from")


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
def test_these_are_cuda() -> None:
    text = TEXT.format(declared="using V = float4;" + THROUGH, copy="copy<V>(to, from, 8 * i, 8 * i + 2)")
    assert nvrtc.compile_for(text, "k", "sm_80").ok
