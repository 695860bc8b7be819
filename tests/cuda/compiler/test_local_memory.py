"""Which arrays of a thread's own are in local memory, and which does a compiler put into registers?"""

from __future__ import annotations

import inputs
import pytest

from autograder.cuda.compiler.local_memory import count_local_arrays

pytestmark = inputs.emulation

ADDED = "for (int i = 0; i < 8; ++i) out[i] = sum[i];"
#: By what a row of sums is filled and added up by; `n` and `shift` are the launch's.
LOCAL = {
    "a bound of the launch": "for (int i = 0; i < n; ++i) sum[i] += in[i];" + ADDED.replace("8", "n"),
    "a place that the thread's number says": "sum[(t + shift) % 8] = in[t];" + ADDED,
    "a step of the launch": "for (int i = 0; i < 8; i += n) sum[i] += in[i];" + ADDED,
    "a place that the data say": "sum[(int)in[t] & 7] = 1;" + ADDED,
}
REGISTERS = {
    "constant bounds": "for (int i = 0; i < 8; ++i) sum[i] += in[i];" + ADDED,
    "a loop in a long one": "for (int k = 0; k < n; ++k) for (int i = 0; i < 8; ++i) sum[i] += in[8 * k + i];" + ADDED,
    "unrolled by a request": "\n#pragma unroll\nfor (int i = 0; i < 8; ++i) sum[i] += in[i];"
    "\n#pragma unroll\nfor (int i = 0; i < 8; ++i) out[i] = sum[i];",
    "backwards, by twos": "for (int i = 6; i >= 0; i -= 2) { sum[i] += in[i]; sum[i + 1] = 2; }" + ADDED,
    "a function that gets the array": "fill(sum, in);" + ADDED,
    "in an if": "for (int i = 0; i < 8; ++i) if (i < n) sum[i] += in[i];" + ADDED,
}
KERNEL = """
__device__ void fill(float* sum, const float* in) { for (int i = 0; i < 8; ++i) sum[i] = in[i]; }
__global__ void k(const float* in, float* out, int n, int shift)
{
    __shared__ float tile[32];
    float sum[8] = {};
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    %s
    out[t] += tile[31 - t];
}
"""


@pytest.mark.parametrize("name", LOCAL)
def test_an_array_whose_indices_are_no_numbers_is_in_local_memory(name: str) -> None:
    assert count_local_arrays(KERNEL % LOCAL[name], "k") == 1


@pytest.mark.parametrize("name", REGISTERS)
def test_an_array_whose_indices_the_compiler_knows_is_in_registers(name: str) -> None:
    assert count_local_arrays(KERNEL % REGISTERS[name], "k") == 0
