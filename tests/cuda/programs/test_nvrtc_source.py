"""The text that NVRTC gets of a file with host code."""

from __future__ import annotations

from pathlib import Path

import inputs
import pytest

from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.programs.building.nvrtc_source import nvrtc_source, users_half
from autograder.cuda.programs.building.unit import Options, expand_device

pytestmark = inputs.commands

needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")

TEXT = """\
#include <cassert>
#include <cmath>
#include <cstdio>
#include <string>
__constant__ float factors[4];
static int calls = 0;
const int STEP = 2;
constexpr int twice(int x) { return 2 * x; }
template <class T> T* made(int n) { T* p; cudaMalloc(&p, n); return p; }
template <class T> __device__ T half(T x) { return x / 2; }
struct Base { virtual ~Base() = default; std::string name; };
class Array {
    float* data;
    friend std::string text(const Array&);
public:
    Array() = default;
    explicit Array(int n) : data(made<float>(n)) { calls++; }
    __host__ __device__ float& at(int i) const { return data[i]; }
    std::string text() const;
    void release() { cudaFree(data); }
};
namespace { namespace inner { __global__ void deep(Array a) { a.at(0) = INFINITY; } void go() { deep<<<1, 1>>>(1); } } }
template <class T, int N> __global__ void __launch_bounds__(N) scale(T* x, Array a)
{
    extern __shared__ T tile[];
    assert(x != nullptr);
    tile[threadIdx.x] = half(x[threadIdx.x]) * factors[0] + twice(STEP);
    __syncthreads();
    x[threadIdx.x] = tile[N - 1 - threadIdx.x];
    if (std::isnan(x[0])) printf("%f", x[0]);
}
std::string Array::text() const { return std::to_string(at(0)); }
int main() { scale<float, 64><<<1, 64>>>(made<float>(64), Array(3)); return calls; }
"""


def half_of(folder: Path, text: str) -> str:
    file = folder / "k.cu"
    file.write_text(text)
    return users_half(expand_device(file, folder / "expanded", Options())[0])


@needs_nvrtc
@pytest.mark.parametrize("kernel", ["scale<float, 64>", "inner::deep"])
def test_nvrtc_compiles_what_is_left(kernel: str, tmp_path: Path) -> None:
    source = nvrtc_source(half_of(tmp_path, TEXT), kernel)
    made = nvrtc.compile_for(source.text, kernel, "sm_90")
    assert made.ok and not source.log, (made.messages, source.log)
    assert made.registers >= 4 and ".entry" in made.ptx


@needs_nvrtc
def test_what_nvrtc_says_is_of_the_files_lines(tmp_path: Path) -> None:
    text = "#include <vector>\nint main() { std::vector<int> x; }\n__device__ void f() { *; }\n__global__ void k() {}\n"
    half = half_of(tmp_path, text)
    (message, *_) = nvrtc.compile_for(half, "k", "sm_90").messages
    assert message[0] == 2 and "std" in message[2]  # of the file as it is
    source = nvrtc_source(half.replace("*;", "char*a = 1;"))
    assert [part.names for part in source.broken] == [("f",)]
    assert nvrtc.compile_for(source.text + "int y = x;", "k", "sm_90").messages == (
        (5, 9, 'identifier "x" is undefined'),
    )


def test_no_directive_is_left_that_reads_files(tmp_path: Path) -> None:
    half = half_of(
        tmp_path,
        '#include <cuda_fp16.h>\n#pragma GCC dependency "k.cu"\n'
        '__device__ const char* text = R"(\n#include "/etc/passwd"\n  %:include "secret.h"\n)";\n'
        "__global__ void k() {\n#pragma unroll 2\n    for (int i = 0; i < 4; i++) text++;\n}\n",
    )
    assert "#include <cuda_fp16.h>" in half and "#pragma unroll 2" in half
    assert "dependency" not in half and "secret" not in half and "passwd" not in half
