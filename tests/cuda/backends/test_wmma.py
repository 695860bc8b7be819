"""A warp's matrices (mma.h): each shape, type and layout against numpy, and what their memory traffic costs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import inputs
import measure_wmma
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.findings import WildAccess
from autograder.cuda.core.run import Run

pytestmark = pytest.mark.cached(*inputs.EMULATION, "autograder/classroom/attacks/*", "book/data/*mma*")

SHAPES = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
#: Of a row or column, which may be longer than the matrix is: a multiple of 16 bytes.
LEADING = 32
#: d = a @ b + c, twice: of row-major a and column-major b, and the other way round, which also turns c and d.
TEXT = """#include <mma.h>
using namespace nvcuda;
template <int M, int N, int K, class T, class U, class C, class D>
__device__ void multiply(const U* a, const U* b, const C* c, D* d)
{
    wmma::fragment<wmma::accumulator, M, N, K, C> start;
    wmma::fragment<wmma::accumulator, M, N, K, D> sum;
    {
        wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> y;
        wmma::load_matrix_sync(x, a, 32);
        wmma::load_matrix_sync(y, b, 32);
        wmma::load_matrix_sync(start, c, 32, wmma::mem_row_major);
        wmma::mma_sync(sum, x, y, start);
        wmma::store_matrix_sync(d, sum, 32, wmma::mem_row_major);
    }
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major> x;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major> y;
    wmma::load_matrix_sync(x, a, 32);
    wmma::load_matrix_sync(y, b, 32);
    wmma::load_matrix_sync(start, c, 32, wmma::mem_col_major);
    wmma::mma_sync(sum, x, y, start);
    wmma::store_matrix_sync(d + 32 * 32, sum, 32, wmma::mem_col_major);
}
"""


@dataclass(frozen=True)
class Type:
    """A type of factors: its name in CUDA, the type in memory, and those of c and d; and numpy's of these."""

    name: str
    stored: str
    c: str
    d: str
    dtype: str
    dtype_c: str
    dtype_d: str
    shapes: tuple[tuple[int, int, int], ...] = SHAPES


TYPES = {
    "half": Type("half", "half", "float", "float", "float16", "float32", "float32"),
    "half-into-half": Type("half", "half", "half", "half", "float16", "float16", "float16"),
    "half-from-half": Type("half", "half", "half", "float", "float16", "float16", "float32"),
    "float-into-half": Type("half", "half", "float", "half", "float16", "float32", "float16"),
    "bfloat16": Type("__nv_bfloat16", "__nv_bfloat16", "float", "float", "bfloat16", "float32", "float32"),
    "signed": Type("signed char", "signed char", "int", "int", "int8", "int32", "int32"),
    "unsigned": Type("unsigned char", "unsigned char", "int", "int", "uint8", "int32", "int32"),
    "double": Type("double", "double", "double", "double", "float64", "float64", "float64", ((8, 8, 4),)),
    "tf32": Type("wmma::precision::tf32", "float", "float", "float", "tf32", "float32", "float32", ((16, 16, 8),)),
}


def numbers(random: np.random.Generator, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """32 x 32 numbers, as they stand in memory, and as they are."""
    count = (LEADING, LEADING)
    if "int" in dtype:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        values = random.integers(low, high, count, dtype, endpoint=True)
        return values, values.astype(object)
    values = random.standard_normal(count).astype(dtype if dtype in ("float16", "float64") else "float32")
    if dtype == "bfloat16":
        bits = (values.view(np.uint32) >> 16).astype(np.uint16)
        return bits, (bits.astype(np.uint32) << 16).view(np.float32).astype(float)
    if dtype == "tf32":
        values = (values.view(np.uint32) & 0xFFFFE000).view(np.float32)
    return values, values.astype(float)


@pytest.mark.parametrize("name", TYPES)
def test_a_product_is_as_numpy_has_it(name: str) -> None:
    of, random = TYPES[name], np.random.default_rng(5)
    for m, n, k in of.shapes:
        body = f"multiply<{m}, {n}, {k}, {of.name}>(a, b, c, d);"
        signature = f"const {of.stored}* a, const {of.stored}* b, const {of.c}* c, {of.d}* d"
        text = f"{TEXT}__global__ void product({signature}) {{ {body} }}"
        (a, x), (b, y), (c, z) = (numbers(random, dtype) for dtype in (of.dtype, of.dtype, of.dtype_c))
        run = Kernel(text, "product").emulate(1, 32, [a, b, c, np.zeros((2, LEADING, LEADING), of.dtype_d)])
        assert run.completed and not run.findings
        rows, turned = x[:m, :k] @ y[:n, :k].T + z[:m, :n], x[:k, :m].T @ y[:k, :n] + z[:n, :m].T
        want = np.concatenate([rows.ravel(), turned.ravel()])
        got = np.concatenate([run.outputs[3][0, :m, :n].ravel(), run.outputs[3][1, :n, :m].T.ravel()])
        if "int" in of.dtype:
            wrapped = [(int(v) + 2**31) % 2**32 - 2**31 for v in want]
            np.testing.assert_array_equal(got, wrapped, err_msg=str((m, n, k)))
        else:
            tolerance = {"float16": 1e-2, "float32": 1e-5, "float64": 1e-15}[of.dtype_d]
            np.testing.assert_allclose(got.astype(float), want, tolerance, tolerance, err_msg=str((m, n, k)))


@pytest.mark.parametrize("measured", sorted(measure_wmma.HERE.glob("*mma_*.npz")), ids=lambda path: path.stem)
def test_each_bit_is_as_a_gpu_had_it(measured: Path) -> None:
    found = list(measure_wmma.compare(measured))
    assert [line for _, differ, line in found if differ] == []
    assert len(found) == {"wmma": 84, "mma": 88, "dmma": 10}[measured.name.partition("_")[0]]


def run_body(body: str, arrays: list[np.ndarray], parameters: str = "float* out", block: int = 32) -> Run:
    text = f"#include <mma.h>\nusing namespace nvcuda;\n__global__ void k({parameters}) {{\n{body}\n}}\n"
    return Kernel(text, "k").emulate(1, block, arrays)


def test_a_fragment_has_as_many_elements_as_in_cuda() -> None:
    rows = [
        ("matrix_a, 16, 16, 16, half, wmma::row_major", 16),
        ("matrix_b, 32, 8, 16, half, wmma::col_major", 16),
        ("accumulator, 8, 32, 16, half", 8),
        ("accumulator, 16, 16, 16, float", 8),
        ("matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major", 8),
        ("matrix_a, 32, 8, 16, __nv_bfloat16, wmma::row_major", 16),
        ("matrix_b, 32, 8, 16, __nv_bfloat16, wmma::row_major", 4),
        ("matrix_a, 16, 16, 16, signed char, wmma::col_major", 8),
        ("matrix_a, 8, 32, 16, unsigned char, wmma::col_major", 4),
        ("matrix_b, 8, 32, 16, unsigned char, wmma::row_major", 16),
        ("matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major", 4),
        ("accumulator, 16, 16, 8, float", 8),
        ("matrix_a, 8, 8, 4, double, wmma::col_major", 1),
        ("matrix_b, 8, 8, 4, double, wmma::col_major", 1),
        ("accumulator, 8, 8, 4, double", 2),
    ]
    body = "".join(
        f"static_assert(wmma::fragment<wmma::{form}>::num_elements == {count} && "
        f"sizeof(wmma::fragment<wmma::{form}>::x) == {count} * sizeof(wmma::fragment<wmma::{form}>::x[0]));\n"
        for form, count in rows
    )
    assert not run_body(body, [np.zeros(1, np.float32)]).findings


def test_whole_numbers_stop_at_the_largest_where_asked_to() -> None:
    body = """
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum, d;
    for (int i = 0; i < 3; i++) {
        wmma::fill_fragment(a, i == 2 ? -1 : 1);
        wmma::fill_fragment(b, 1);
        wmma::fill_fragment(sum, i == 2 ? -0x7fffffff : 0x7ffffffe);
        wmma::mma_sync(d, a, b, sum, i > 0);
        if (threadIdx.x == 0) out[i] = d.x[0];
    }"""
    run = run_body(body, [np.zeros(3, np.int32)], "int* out")
    assert run.outputs[0].tolist() == [-(2**31) + 14, 2**31 - 1, -(2**31)]


def test_a_number_is_rounded_to_tf32() -> None:
    values = np.array([1 + 2**-11, 1 + 2**-11 - 2**-20, -1 - 2**-11, 3e38, np.inf, np.nan, 2.0**-140], np.float32)
    body = "out[threadIdx.x] = wmma::__float_to_tf32(out[threadIdx.x]);"
    run = run_body(body, [values], block=7)
    largest = np.float32(3e38)
    rounded = ((np.array([largest]).view(np.uint32) + 0x1000) & 0xFFFFE000).view(np.float32)[0]
    want = np.array([1 + 2**-10, 1, -1 - 2**-10, rounded, np.inf, np.nan, 2.0**-140], np.float32)
    np.testing.assert_array_equal(run.outputs[0][:6], want[:6])


LOADS = """
__shared__ half tile[16 * 24];
for (int i = threadIdx.x; i < 16 * {stride}; i += 32) tile[i] = 1;
__syncwarp();
wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::{layout}> a;
wmma::load_matrix_sync(a, tile, {stride});
if (threadIdx.x == 0) out[0] = a.x[0];
"""


@pytest.mark.parametrize(
    ("layout", "stride", "loads", "requests", "conflicts"),
    [
        # Four words of each lane, of 8 rows at a time: rows of 32 bytes share banks with those 4 further down.
        ("row_major", 16, 128, 4, 4),
        ("row_major", 24, 128, 4, 0),
        # Eight halves of each lane: two rows share a word, and columns that lie 4 apart a bank.
        ("col_major", 16, 256, 8, 8),
    ],
)
def test_a_load_is_counted_as_that_of_its_lanes(
    layout: str, stride: int, loads: int, requests: int, conflicts: int
) -> None:
    run = run_body(LOADS.format(layout=layout, stride=stride), [np.zeros(1, np.float32)])
    counts = run.counts
    assert counts is not None and not run.findings
    assert (counts.shared_loads, counts.shared_load_requests) == (loads, requests)
    assert counts.shared_load_conflicts == conflicts
    assert (counts.votes, counts.shuffles, counts.matrix_products) == (0, 0, 0)


def test_products_are_counted_by_warp() -> None:
    body = """
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(a, 2.0f); wmma::fill_fragment(b, 0.5f); wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k <= threadIdx.x / 32; k++) wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, sum, 16, wmma::mem_row_major);"""
    run = run_body(body, [np.zeros(768, np.float32)], block=96)
    assert run.counts is not None and run.counts.matrix_products == 6 and run.counts.votes == 0
    np.testing.assert_array_equal(run.outputs[0], np.repeat([16, 32, 48], 256))


DECLARED = """
wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
wmma::fill_fragment(a, 1.0f); wmma::fill_fragment(b, 1.0f); wmma::fill_fragment(sum, 1.0f);
"""
#: No array is there.
NOWHERE = "0x123456789000"
_AWAY = f"(*(decltype(sum)*){NOWHERE})"


@pytest.mark.parametrize(
    "call",
    [
        f"wmma::fill_fragment({_AWAY}, 1.0f);",
        f"wmma::mma_sync(sum, *(decltype(a)*){NOWHERE}, b, sum);",
        f"wmma::mma_sync(sum, a, *(decltype(b)*){NOWHERE}, sum);",
        f"wmma::mma_sync(sum, a, b, {_AWAY});",
        f"wmma::mma_sync({_AWAY}, a, b, sum);",
        f"wmma::load_matrix_sync({_AWAY}, out, 16, wmma::mem_row_major);",
        f"wmma::store_matrix_sync(out, {_AWAY}, 16, wmma::mem_row_major);",
        f"wmma::load_matrix_sync(sum, (float*){NOWHERE}, 16, wmma::mem_row_major);",
        f"wmma::store_matrix_sync((float*){NOWHERE}, sum, 16, wmma::mem_row_major);",
    ],
)
def test_no_fragment_and_no_matrix_lies_where_the_kernel_may_not_go(call: str) -> None:
    run = run_body(DECLARED + call, [np.ones(256, np.float32)])
    assert [type(finding) for finding in run.findings] == [WildAccess]
