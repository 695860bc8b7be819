"""The kernels of the lectures, written anew: right at every size, on the emulator and on a GPU.

The findings in those that are wrong on purpose are tested in test_kernels_of_book.py, by their first lines.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import inputs
import numpy as np
import pytest
from course_book import kernels

from autograder import Kernel
from autograder.cuda.backends import gpu
from autograder.cuda.core.launch import Dims

pytestmark = inputs.book

#: The kernels that the course must have from each lecture, by file.
OF_LECTURES = {
    "L0": ["gemm_simple", "gemm_tiled", "gemm_tiled_1x2"],
    "L1": ["matrix_mul_simple", "matrix_mul_tiled"],
    "L2": [
        *("downsample", "blur", "blur_shared_block", "blur_shared", "kernel1", "kernel2", "blur_twice"),
        *("string_reverse", "dot_one_block", "dot_any_n", "prefix_sum", "race", "update", "count_zeros"),
        *("inc_racy", "inc_atomic", "histogram"),
    ],
    "L3": ["tiled_matrix_mul_sync", "tiled_matrix_mul_no_sync"],
    "L4": ["branchless_sum", "muld", "dynamic_reverse"],
}
#: Wrong on purpose, besides those whose names end in _as_told.
WRONG = {"race", "inc_racy", "tiled_matrix_mul_no_sync"}
FILES = {path.stem for path in (kernels.FOLDER / "lectures").glob("*.cu")}


class Case(NamedTuple):
    """One launch, and what its array `out` (of the arrays, from 0) must hold afterwards."""

    grid: Dims
    block: Dims
    args: list[np.ndarray | int]
    out: int
    expected: np.ndarray
    shared_mem: int = 0
    template: str = ""


def ints(n: int, below: int = 100) -> np.ndarray:
    return np.random.default_rng(n).integers(0, below, n).astype(np.int32)


def matrix(rows: int, columns: int) -> np.ndarray:
    return ints(rows * columns, 10).astype(np.float32).reshape(rows, columns)  # so that sums are exact in any order


def of(n: int, each: int) -> int:
    return max(1, -(-n // each))


def square(block: int, wide: int = 1, tiles: int = 0) -> Callable[[int], Case]:
    """An n x n product by blocks of block x block threads, each of which computes `wide` columns, with `tiles`
    tiles of dynamic shared memory."""

    def case(n: int) -> Case:
        a, b = matrix(n, n), matrix(n, n)[::-1].copy()
        grid = of(n, wide * block), of(n, block)
        return Case(grid, (block, block), [a, b, kernels.empty(n, n), n], 2, a @ b, 4 * tiles * block * block)

    return case


def rectangular(h_a: int, w_a: int, w_b: int) -> Case:
    a, b = matrix(h_a, w_a), matrix(w_a, w_b)
    grid = of(w_b, 16), of(h_a, 16)
    return Case(grid, (16, 16), [a, b, kernels.empty(h_a, w_b), h_a, w_a, w_b], 2, a @ b)


def downsampled(n: int, decimate: int) -> Case:
    given, stored = matrix(1, n)[0], of(n, decimate)
    args = [given, kernels.empty(stored), n]
    return Case(of(stored, 64), 64, args, 1, given[::decimate], template=f"downsample<64, {decimate}>")


def blurred(times: int, halo: int = 0, block: int = 64, template: str = "") -> Callable[[int], Case]:
    """`times` blurs, with block + halo doubles of dynamic shared memory; elements out of reach stay 0."""

    def case(n: int) -> Case:
        given, out = 16.0 * ints(n), np.zeros(n)  # two blurs divide by 16: exact
        row = given
        for _ in range(times):
            row = 0.25 * (row[:-2] + 2 * row[1:-1] + row[2:])
        out[times : n - times] = row
        shared_mem = 8 * (block + halo) if halo else 0
        return Case(of(n - 2 * times, block), block, [given, np.zeros(n), n], 1, out, shared_mem, template)

    return case


def made_whole(n: int) -> Case:
    given = ints(n) + 0.5
    return Case(1, n, [given, kernels.empty_int(n)], 1, given.astype(np.int32))


def text_reversed(n: int) -> Case:
    given = ints(n).astype(np.int8)
    return Case(1, 1024, [given, n], 0, given[::-1])


def ints_reversed(n: int) -> Case:
    return Case(1, n, [ints(n), n], 0, ints(n)[::-1], 4 * n)


def dot(grid: int, block: int) -> Callable[[int], Case]:
    def case(n: int) -> Case:
        x, y = ints(n), ints(n)[::-1].copy()
        return Case(grid, block, [x, y, kernels.zeros("int32", 1), n], 2, np.array([x @ y], np.int32))

    return case


def summed_up(n: int) -> Case:
    return Case(1, 1024, [ints(n), n], 0, np.cumsum(ints(n), dtype=np.int32))


def sum_below_50(n: int) -> Case:
    given = ints(n)
    return Case(2, 128, [given, kernels.zeros("int32", 1), n], 1, given[given < 50].sum(keepdims=True))


def passed_on(threads: int) -> Case:
    return Case(1, threads, [kernels.zeros("int32", 1), kernels.zeros("int32", 1)], 1, np.array([1]))


def zeros_counted(n: int) -> Case:
    given = ints(n, 8)
    return Case(1, n, [given, kernels.zeros("int32", 1)], 1, np.array([np.count_nonzero(given == 0)]))


def incremented(grid: int, block: int) -> Case:
    return Case(grid, block, [kernels.zeros("int32", 1)], 0, np.array([grid * block]))


def bins(block: int, each: int) -> Callable[[int], Case]:
    def case(n: int) -> Case:
        given, grid = ints(n, 64), of(n, block * each)
        return Case(grid, block, [given, kernels.zeros("int32", 64), n], 1, np.bincount(given, minlength=64))

    return case


SIDES = [1, 16, 20, 37]
BLURS = [1, 2, 3, 4, 5, 66, 68, 150, 1000]
TO_1024 = [1, 31, 32, 33, 1000, 1024]
ANY_N = [1, 255, 1024, 3000]

#: For each file: how to make a case of a size, and the sizes.
CASES: dict[str, list[tuple[Callable[..., Case], Sequence[int | tuple[int, ...]]]]] = {
    "gemm_simple": [(square(block), SIDES) for block in (8, 16, 32)],
    "gemm_tiled": [(square(block, tiles=2), SIDES) for block in (8, 16, 32)],
    "gemm_tiled_1x2": [(square(block, wide=2, tiles=3), SIDES) for block in (8, 16, 32)],
    "matrix_mul_simple": [(square(16), SIDES)],
    "matrix_mul_tiled": [(square(16), SIDES)],
    "tiled_matrix_mul_sync": [(square(16), SIDES)],
    "muld": [(rectangular, [(1, 17, 33), (35, 20, 30), (16, 48, 32)])],
    "downsample": [(downsampled, [(514, 4), (1, 8), (257, 1), (1000, 3)])],
    "blur": [(blurred(1), BLURS)],
    "blur_shared": [(blurred(1, halo=2), BLURS)],
    "blur_shared_block": [(blurred(1, block=128, template="blur_shared_block<130>"), [1, 2, 3, 33, 100, 129, 130])],
    "blur_twice": [(blurred(2, halo=4), [n for n in BLURS if n >= 4])],
    "kernel1": [(made_whole, [1, 33, 128])],
    "kernel2": [(made_whole, [1, 33, 128])],
    "string_reverse": [(text_reversed, TO_1024)],
    "dynamic_reverse": [(ints_reversed, TO_1024)],
    "dot_one_block": [(dot(1, 1024), TO_1024)],
    "dot_any_n": [(dot(3, 128), ANY_N)],
    "prefix_sum": [(summed_up, TO_1024)],
    "branchless_sum": [(sum_below_50, ANY_N)],
    "update": [(passed_on, [2, 64, 1024])],
    "count_zeros": [(zeros_counted, TO_1024)],
    "inc_atomic": [(incremented, [(1, 1), (2, 64), (7, 100)])],
    "histogram": [(bins(128, 1), ANY_N)],
    "histogram_shared": [(bins(64, 16), ANY_N)],
}


def every_launch() -> Iterator[pytest.ParameterSet]:
    for file, ways in CASES.items():
        for case, sizes in ways:
            for size in sizes:
                item = case(*size) if isinstance(size, tuple) else case(size)
                yield pytest.param(file, item, id=f"{file} {size} in blocks of {item.block}")


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    "backend", ["emulator", pytest.param("gpu", marks=pytest.mark.skipif(gpu.problem() is not None, reason="no GPU"))]
)
@pytest.mark.parametrize(("file", "case"), [*every_launch()])
def test_it_computes_what_numpy_computes(file: str, case: Case, backend: str) -> None:
    kernel = kernels.read(f"lectures/{file}.cu")
    launched = Kernel(kernel.source, case.template or kernel.name)
    launch = launched.emulate if backend == "emulator" else launched.run_on_gpu
    run = launch(case.grid, case.block, case.args, case.shared_mem)
    assert run.completed and run.findings == ()
    np.testing.assert_array_equal(run.outputs[case.out], case.expected)


def test_every_kernel_of_the_lectures_is_there() -> None:
    assert {name for names in OF_LECTURES.values() for name in names} <= FILES


def test_every_file_is_compared_or_wrong_on_purpose() -> None:
    wrong = WRONG | {file for file in FILES if file.endswith("_as_told")}
    assert CASES.keys() | wrong == FILES
    assert not CASES.keys() & wrong
