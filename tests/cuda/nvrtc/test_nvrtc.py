"""Does NVRTC compile the course's kernels without a GPU, and say where a text is wrong?"""

from pathlib import Path
from typing import SupportsFloat

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler.toolchain import find_compile_errors
from autograder.cuda.errors import UsageError
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc.headers import PRELUDE_NAME, headers
from autograder.cuda.source.text import LIBRARY_HEADERS, STD_HEADERS

pytestmark = [inputs.emulation, pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")]

REVERSE = """\
template <int N>
__global__ void reverse(const float* in, float* out)
{
    __shared__ float tile[N];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}
"""


def errors(source: str, name: str = "f") -> tuple[nvrtc.Message, ...]:
    result = nvrtc.compile_for(source, name, "sm_80")
    assert not result.ok and not result.cubin
    return result.messages


@pytest.mark.parametrize("arch", nvrtc.ARCHS)
def test_compiles_a_template_instance_for_each_architecture_of_the_course(arch: str) -> None:
    result = nvrtc.compile_for(REVERSE, "reverse<128>", arch)
    assert result.ok and result.arch == arch and not result.messages
    assert result.cubin.startswith(b"\x7fELF")
    assert "reverse" in result.entry and result.entry.encode() in result.cubin


def test_says_registers_and_shared_memory_of_the_named_kernel_only() -> None:
    source = REVERSE + "__global__ void other(float* a) { __shared__ float t[64]; t[0] = *a; *a = t[threadIdx.x]; }"
    result = nvrtc.compile_for(source, "reverse<256>", "sm_80")
    assert result.static_shared == 256 * 4
    assert 4 <= result.registers <= 32 and result.local == 0
    assert nvrtc.compile_for(source, "other", "sm_80").static_shared == 64 * 4


@pytest.mark.parametrize("order", [1, -1])
def test_shared_memory_of_another_kernel_does_not_count(order: int) -> None:
    mine = "__global__ void mine(int* a) { *a = 1; }"
    other = "__global__ void other(int* a) { __shared__ int t[64]; t[threadIdx.x] = *a; *a = t[a[1]]; }"
    result = nvrtc.compile_for("\n".join([mine, other][::order]), "mine", "sm_80")
    assert result.ok and result.static_shared == 0


def test_says_how_much_does_not_fit_into_registers() -> None:
    source = "__global__ void f(int* a) { int t[100]; for (int& x : t) x = *a; a[1] = t[a[2]]; }"
    assert nvrtc.compile_for(source, "f", "sm_80").local >= 400


def test_a_macro_by_the_kernels_name_launches_the_same_kernel_on_both() -> None:
    """Else one would be judged on the emulator, and another timed on the GPU."""
    text = "__global__ void f(int* a) { *a = 1; }\n__global__ void other(int* a) { *a = 2; }\n#define f other\n"
    assert "other" in nvrtc.compile_for(text, "f", "sm_80").entry
    assert Kernel(text, "f").emulate(1, 1, [np.zeros(1, np.int32)]).outputs[0] == 2


def test_every_launch_compiles_the_same_code() -> None:
    first, second = (nvrtc.compile_for(REVERSE, "reverse<128>", "sm_90").cubin for _ in range(2))
    assert first == second


def test_needs_no_extern_c() -> None:
    for declared in ("__global__", 'extern "C" __global__', "static __global__"):
        assert nvrtc.compile_for(f"{declared} void f(int* a) {{ *a = 1; }}", "f", "sm_75").ok, declared


@pytest.mark.parametrize("header", sorted(LIBRARY_HEADERS | STD_HEADERS))
def test_an_allowed_header_costs_no_line(header: str) -> None:
    # The error two lines below must be on line 3, at the column where `wrong` stands.
    text = f"#include <{header}>\n__global__ void f(int* a) {{\n\t*a = wrong;\n}}\n"
    assert errors(text) == ((3, 7, 'identifier "wrong" is undefined'),)


def test_includes_read_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "near.h").write_text("#define NEAR 1\n")
    monkeypatch.chdir(tmp_path)
    (line, _, text), *_ = errors('#include "near.h"\n__global__ void f(int* a) { *a = NEAR; }')
    assert line == 1 and "could not open source file" in text


def test_the_names_of_the_allowed_headers_are_there() -> None:
    source = """
    __global__ void f(double* a, std::uint64_t n, uint8_t byte, const std::int16_t* s) {
        a[0] = INFINITY; a[1] = NAN; a[2] = M_PI; a[3] = FLT_MAX; a[4] = INT_MAX; a[5] = UINT_MAX;
        a[6] = LLONG_MIN; a[7] = DBL_EPSILON; a[8] = CHAR_BIT; a[9] = n + byte + *s;
        assert(s != NULL);
        printf("%f", a[0]);
    }"""
    result = nvrtc.compile_for(source, "f", "sm_75")
    assert result.ok, result.log


def test_both_preludes_have_the_limits_that_numpy_has() -> None:
    # Each line is a compile error if a prelude's number differs from numpy's.
    limits = {
        "SCHAR_MIN": np.iinfo(np.int8).min, "UCHAR_MAX": np.iinfo(np.uint8).max,
        "SHRT_MIN": np.iinfo(np.int16).min, "SHRT_MAX": np.iinfo(np.int16).max,
        "USHRT_MAX": np.iinfo(np.uint16).max, "INT_MAX": np.iinfo(np.int32).max,
        "UINT_MAX": np.iinfo(np.uint32).max, "LLONG_MAX": np.iinfo(np.int64).max,
        "ULLONG_MAX": np.iinfo(np.uint64).max, "LONG_MAX": np.iinfo(np.int64).max,
        "INT_MIN + 1": np.iinfo(np.int32).min + 1, "LLONG_MIN + 1": np.iinfo(np.int64).min + 1,
    }  # fmt: skip
    floats: dict[str, SupportsFloat] = {
        "FLT_MAX": np.finfo(np.float32).max, "FLT_MIN": np.finfo(np.float32).tiny,
        "FLT_EPSILON": np.finfo(np.float32).eps, "DBL_MAX": np.finfo(np.float64).max,
        "DBL_MIN": np.finfo(np.float64).tiny, "DBL_EPSILON": np.finfo(np.float64).eps, "M_PI": np.pi,
    }  # fmt: skip
    lines = [f"static_assert({name} == {value}{'ull' if value > 2**63 else 'll'});" for name, value in limits.items()]
    lines += [f"static_assert({name} == {float(value).hex()});" for name, value in floats.items()]
    sizes = {f"{u}int{bits}_t": bits // 8 for u in ("", "u") for bits in (8, 16, 32, 64)}
    lines += [f"static_assert(sizeof({name}) == {size});" for name, size in sizes.items()]
    source = "\n".join([*lines, "__global__ void f(int* a) { *a = 1; }"])
    result = nvrtc.compile_for(source, "f", "sm_75")
    assert result.ok, result.messages
    assert not find_compile_errors(source)


@pytest.mark.parametrize(
    "source, expected",
    [
        ("__global__ void f(int* a) {\n    *a = 1\n}", (3, 1, 'expected a ";"')),
        ("\n\n__global__ void f(int* a) { *a = b; }", (3, 34, 'identifier "b" is undefined')),
        ("__global__ void f(int* a) {\n  *a = 1;\n", (2, 0, 'expected a "}"')),
        ('__global__ void f(int* a) { atomicAdd(a, "x"); }',
         (1, 29, 'no instance of overloaded function "atomicAdd" matches the argument list')),
    ],
)  # fmt: skip
def test_an_error_has_the_line_and_column_of_the_text(source: str, expected: tuple[int, int, str]) -> None:
    assert errors(source) == (expected,)


def test_several_errors_stay_in_order_and_warnings_are_none_of_them() -> None:
    source = "__global__ void f(int* a) {\n    int unused;\n    *a = b;\n    *a = c;\n}"
    assert [(line, text) for line, _, text in errors(source)] == [
        (3, 'identifier "b" is undefined'),
        (4, 'identifier "c" is undefined'),
    ]


def test_a_message_recommends_no_compiler_option_and_names_no_file() -> None:
    messages = errors("__host__ int twice(int x) { return 2 * x; }\n__global__ void f(int* a) { *a = twice(1); }")
    assert messages[0][0] == 1 and "__host__ function is not allowed" in messages[0][2]
    for _, _, text in messages:
        assert "option" not in text and PRELUDE_NAME not in text and "/" not in text


def test_too_much_static_shared_memory_is_an_error_that_says_so() -> None:
    body = "__shared__ float t[20000]; t[threadIdx.x] = *a; __syncthreads(); *a = t[1];"
    ((line, _, text),) = errors(f"__global__ void f(float* a) {{ {body} }}")
    assert line == 0 and "80000 bytes" in text and "49152 bytes" in text


def test_a_kernel_that_is_not_there_is_an_error_that_names_it() -> None:
    assert errors("__global__ void f(int* a) { *a = 1; }", "g") == ((0, 0, '"g" names no kernel of this text'),)


def test_an_unknown_architecture_is_refused_with_those_that_work() -> None:
    with pytest.raises(UsageError, match=r"does not compile for sm_20, but for .*sm_80"):
        nvrtc.compile_for(REVERSE, "reverse<128>", "sm_20")


GRID = """\
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void waits(int* a) { cg::grid_group grid = cg::this_grid(); if (a[0]) cg::sync(grid); }
template <int N> __global__ void waits_too(int* a) { a[1] = N; cg::this_grid().sync(); }
__global__ void counts(int* a) { a[cg::this_grid().thread_rank()] = 1; cg::this_thread_block().sync(); }
"""


@pytest.mark.skipif(bool(nvrtc.problem() or nvrtc.missing_headers(GRID)), reason="no CUDA headers")
@pytest.mark.parametrize("name, waits", [("waits", True), ("waits_too<3>", True), ("counts", False)])
def test_what_waits_for_the_whole_grid_is_known(name: str, waits: bool) -> None:
    result = nvrtc.compile_for(GRID, name, "sm_90")
    assert result.ok and result.cooperative is waits


def test_every_header_of_the_c_library_is_in_memory() -> None:
    assert set(headers()) == LIBRARY_HEADERS | STD_HEADERS | {PRELUDE_NAME, "cub/cub.cuh"}


@pytest.mark.parametrize(("major", "is_used"), [(None, True), (0, True), (1, False)])
def test_headers_of_another_major_version_are_skipped(
    major: int | None, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those with the compiler need not contain the runtime's, which alone have a version."""
    pathfinder = pytest.importorskip("cuda.pathfinder")
    for name, newer in (("cudart", 0), ("nvcc", major)):
        (tmp_path / name).mkdir()
        if newer is not None:
            version = 1000 * (nvrtc.version()[0] + newer) + 10
            (tmp_path / name / "cuda_runtime_api.h").write_text(f"#define CUDART_VERSION  {version}\n")
    monkeypatch.setattr(pathfinder, "find_nvidia_header_directory", lambda name: str(tmp_path / name))
    folders = nvrtc.header_folders.__wrapped__()
    assert folders[0] == tmp_path / "cudart"
    assert (tmp_path / "nvcc" in folders) == is_used
