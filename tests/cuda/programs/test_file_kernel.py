"""One kernel of a file, as the compiler reads it: also of a file that does not compile as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.core.device_code import DeviceCode
from autograder.cuda.core.findings import CompileError
from autograder.cuda.core.launch import prepare
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.launches.file_kernel import FileKernel, read_kernel
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.commands

UNDECLARED = ": declare it above this line, and not only within other {...}"
MISSING = "blas.h is not there: what needs it is left out."


def read(folder: Path, text: str, kernel: str | None = None) -> FileKernel:
    file = folder / "k.cu"
    file.write_text(text)
    return read_kernel(file, kernel)


def result(kernel: FileKernel, *arguments: object) -> list[int]:
    """What the first argument holds after a launch of one block of as many threads as it has elements: zeros before."""
    assert isinstance(kernel.code, DeviceCode), kernel.code
    out = np.zeros(4, kernel.signature.parameters[0].dtype)
    launch = prepare(kernel.gathered.text, kernel.signature, 1, len(out), [out, *arguments])
    run = emulator.run(replace(launch, code=kernel.code))
    assert run.completed and not run.findings
    return list(map(int, run.outputs[0]))


def error(kernel: FileKernel) -> tuple[str, str]:
    """The place and the text of the first error."""
    assert isinstance(kernel.code, CompileError)
    first = in_words(kernel.code.messages)[0]
    return kernel.gathered.place(first.line), first.text


def test_the_only_kernel_needs_no_name(tmp_path: Path) -> None:
    kernel = read(
        tmp_path,
        "#include <vector>\n"
        "template <class T> __global__ void fill(T* out) { out[threadIdx.x] = 1; }\n"
        "__global__ void count(int* out, int from) { out[threadIdx.x] = from + threadIdx.x; }\n"
        "int main() { std::vector<int> x(4); count<<<1, 4>>>(x.data(), 1); }\n",
    )
    assert (kernel.name, kernel.notes) == ("count", ())
    assert result(kernel, 7) == [7, 8, 9, 10]


def test_an_instance_that_the_host_launches_is_a_kernel(tmp_path: Path) -> None:
    text = (
        "template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = N; }\n"
        "int main() { fill<float, 3><<<1, 4>>>(nullptr); }\n"
    )
    kernel = read(tmp_path, text)
    assert kernel.name == "fill<float, 3>" and result(kernel) == [3, 3, 3, 3]
    assert result(read(tmp_path, text, "fill<int, 2 + 3>")) == [5, 5, 5, 5]


def test_names_with_namespaces_and_types(tmp_path: Path) -> None:
    text = (
        "namespace a { namespace {\n"
        "__global__ void put(int* out) { out[threadIdx.x] = 1; }\n"
        "__global__ void put(int* out, float) { out[threadIdx.x] = 2; }\n"
        "} }\n"
    )
    assert result(read(tmp_path, text, "a::put(int*)")) == [1, 1, 1, 1]
    assert result(read(tmp_path, text, "a::put(int*, float)"), 0.5) == [2, 2, 2, 2]
    with pytest.raises(UsageError, match=r"several kernels called a::put: .* such as a::put\(int\*\)"):
        read(tmp_path, text, "a::put")


def test_macros_and_headers_of_its_own_make_kernels(tmp_path: Path) -> None:
    (tmp_path / "kernels.h").write_text(
        "#pragma once\n#define KERNEL(name, number) \\\n"
        "    __global__ void name(int* out) { out[threadIdx.x] = number * scale + more[1]; }\n"
        "__constant__ int scale = 3, more[2];\n"
    )
    text = '#include "kernels.h"\n#include "kernels.h"\nKERNEL(one, 1)\nKERNEL(two, 2)\n'
    kernel = read(tmp_path, text, "two")
    assert result(kernel) == [6, 6, 6, 6]
    assert kernel.notes == ("No host code fills more: all of it is 0.",)
    assert [file.name for file in kernel.gathered.files] == ["k.cu", "kernels.h"]


BROKEN = """\
#include <cstdio>
#include "blas.h"
#define CHECK(call) if (call) printf("%s", blas_text(call))
namespace tools { blas_handle handle; void start() { CHECK(blas_start(&handle)); } }
struct Task { blas_handle handle; int number; };
struct Pair { int a, b; };
__device__ int sum(Pair pair) { return pair.a + pair.b; }
extern "C" {
__global__ void good(int* out, Pair pair) { out[threadIdx.x] = sum(pair); }
__global__ void bad(int* out, Task task) { out[threadIdx.x] = task.number; }
}
__device__ int half(int n) { return blas_half(n); }
__global__ void indirect(int* out) { out[threadIdx.x] = half(4); }
template <class T> __global__ void fill(T* out) { out[threadIdx.x] = T::none; }
blas::Matrix<float> matrix;
int main() { tools::start(); good<<<1, 4>>>(nullptr, Pair()); }
"""


def test_what_does_not_compile_is_left_out(tmp_path: Path) -> None:
    kernel = read(tmp_path, BROKEN, "good")
    pair = np.array([(3, 4)], kernel.signature.parameters[1].dtype)[0]
    assert result(kernel, pair) == [7, 7, 7, 7]
    missing, left_out = kernel.notes
    assert missing == MISSING
    assert "handle (line 4: unknown type name 'blas_handle'" in left_out and "main (line 16: " in left_out
    assert "good" not in left_out and "sum" not in left_out


@pytest.mark.parametrize(
    ("kernel", "place", "message"),
    [
        ("bad", "5", f"unknown type name 'blas_handle'{UNDECLARED}"),
        ("indirect", "12", f"use of undeclared identifier 'blas_half'{UNDECLARED}"),
        ("fill<int>", "14", "type 'int' cannot be used prior to '::' because it has no members"),
    ],
)
def test_what_the_kernel_needs_is_reported_where_it_is_broken(
    kernel: str, place: str, message: str, tmp_path: Path
) -> None:
    assert error(read(tmp_path, BROKEN, kernel)) == (place, message)


def test_an_error_in_the_only_kernel_is_reported_in_its_header(tmp_path: Path) -> None:
    (tmp_path / "body.h").write_text("\n__device__ int twice(int x) { return 2 * factor; }\n")
    text = '#include "body.h"\n__global__ void k(int* out) { out[0] = twice(1); }\nint main() { return missing; }\n'
    assert error(read(tmp_path, text)) == ("body.h:2", f"use of undeclared identifier 'factor'{UNDECLARED}")


@pytest.mark.sampled()
@pytest.mark.parametrize(
    ("text", "kernel", "message"),
    [
        ("int main() {}\n", None, "The file has no __global__ function"),
        ("template <int N> __global__ void t(int*) {}\n", None, "t is a template: name an instance, such as t<128>."),
        ("__global__ void a() {}\n__global__ void b() { x; }\n", None, "has 2 kernels: choose one by --kernel a, b."),
        ("namespace n { __global__ void a() {} }\n", "a", "The kernel a is in the text as n::a: use that name."),
        ("__global__ void a() {}\n", "b", "There is no kernel b in the source, which has a"),
        ("__device__ void a() {}\n", "a", "a is not a kernel: declare it as __global__ void a(...)."),
        ("__global__ void a();\n", "a", "The kernel a is declared but has no body"),
        ('#include "../x.h"\n__global__ void a() {}\n', "a", "k.cu line 1 includes ../x.h, which is not there"),
    ],
)
def test_what_is_no_kernel_is_one_sentence(text: str, kernel: str | None, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text, kernel)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_template_is_not_to_blame_for_an_instance_that_the_host_requests(tmp_path: Path) -> None:
    kernel = read(
        tmp_path,
        "struct Five { static const int number = 5; };\n"
        "template <class T> __host__ __device__ int number() { return T::number; }\n"
        "__global__ void k(int* out) { out[threadIdx.x] = number<Five>(); }\n"
        "int main() { return number<int>(); }\n",
    )
    assert result(kernel) == [5, 5, 5, 5]
    (left_out,) = kernel.notes
    assert left_out.startswith("Left out, because it does not compile: main (line 2: ")


def test_a_missing_template_before_a_member_with_overloads(tmp_path: Path) -> None:
    # (As nvcc takes it; clang takes the < for a comparison.)
    text = (
        "template <class T> struct Convert {\n"
        "  template <int N> __device__ static T add(T x) { return x + N; }\n"
        "  template <int N> __device__ static T add(T x, T y) { return x + y + N; }\n"
        "  template <int N> __device__ static T twice(T x) { return N * x; }\n"
        "};\n"
        "template <class T, int N> __global__ void k(T* out) {\n"
        "  T x = Convert<T>::add<N>(1), y = Convert<T>::twice<2>(Convert<T>::add<N + 1>(1));\n"
        "  Convert<T>::add<N>(x, y);\n"
        "  out[threadIdx.x] = x + Convert<T>::add<N>(Convert<T>::add<N>(x, y));\n"
        "}\n"
    )
    assert result(read(tmp_path, text, "k<int, 3>")) == [24] * 4


def test_approximations_of_halves_need_no_header(tmp_path: Path) -> None:
    text = (
        "__global__ void k(unsigned* out) {\n"
        "  unsigned short one, two = 0x3c00;\n"
        '  asm("tanh.approx.f16 %0, %1;" : "=h"(one) : "h"(two));\n'
        "  out[0] = one;\n"
        '  asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(one) : "h"((unsigned short)0x3f80));\n'
        "  out[1] = one;\n"
        '  asm("ex2.approx.f16x2 %0, %1;" : "=r"(out[2]) : "r"(0x40003c00));\n'
        '  asm("tanh.approx.bf16x2 %0, %1;" : "=r"(out[3]) : "r"(0x3f80));\n'
        "}\n"
    )
    kernel = read(tmp_path, text)
    assert isinstance(kernel.code, DeviceCode)
    launch = prepare(kernel.gathered.text, kernel.signature, 1, 1, [np.zeros(4, np.uint32)])
    (out,) = emulator.run(replace(launch, code=kernel.code)).outputs
    assert [hex(bits) for bits in out] == ["0x3a18", "0x4000", "0x44004000", "0x3f43"]


TWICE = """\
__device__ int scale(int n) { return 2 * n; }
%s
__constant__ int table[2] = {1, 2};
__constant__ int table[2] = {3, 4};
struct Pair { int a, b; };
struct Pair { int a; };
__global__ void scaled(int* out) { out[threadIdx.x] = scale(3); }
__global__ void looked_up(int* out) { out[threadIdx.x] = table[1]; }
__global__ void five(int* out) { out[threadIdx.x] = 5; }
"""


@pytest.mark.parametrize(
    ("again", "message"),
    [
        ("__device__ int scale(int n) { return 3 * n; }", "redefinition of 'scale'"),
        (
            "int scale(int n) { return 3 * n; }",
            "redefinition of 'scale', which line 1 defines: a function of the host and",
        ),
    ],
)
def test_what_a_kernel_uses_is_defined_once(again: str, message: str, tmp_path: Path) -> None:
    text = TWICE % again
    place, why = error(read(tmp_path, text, "scaled"))
    assert place == "2" and why.startswith(message)
    assert error(read(tmp_path, text, "looked_up")) == ("4", "redefinition of 'table'")
    five = read(tmp_path, text, "five")
    assert result(five) == [5, 5, 5, 5] and "scale (line 2: redefinition of 'scale'" in five.notes[0]


def test_a_kernel_is_defined_once(tmp_path: Path) -> None:
    kernel = "__global__ void five(int* out) { out[threadIdx.x] = %d; }\n"
    assert error(read(tmp_path, kernel % 5 + kernel % 6, "five")) == ("2", "redefinition of 'five'")
