"""How fast are matrix products that copy their tiles by tensor maps, beside cuBLAS and cuBLASLt?

Run it on a machine with an H200 or H100, CuPy, the CUDA toolkit and Nsight Compute: `python
book/data/measure_tensor_bulk.py`. It takes a minute and writes beside itself, for this GPU:

  tensor_bulk_<gpu>.csv         kernels 06 to 10 of book/kernels/tensor_cores on square matrices and on shapes of models
  tensor_bulk_without_<gpu>.csv kernel 09 with parts changed or left out: the results are often wrong then, but the
                                times say what those parts cost or gain
  tensor_bulk_profile_<gpu>.csv what Nsight Compute says of kernels 06, 08 and 09, of two whose results are wrong, and
                                of cuBLAS

All matrices have normally distributed random numbers. For each shape, the fastest of a kernel's CHOICES is taken, by
three launches each, and likewise the fastest of the algorithms that cuBLASLt's heuristic lists. Then its launches
alternate with cuBLAS's and cuBLASLt's, each after more memory was written than the L2 cache holds. Spread is the
interquartile range; `percent_of_best` compares with the faster of the two libraries.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import cublaslt
import cupy as cp
import numpy as np
from measuring import Row, Timer, machine, summary, write
from tensor_bulk import BulkGemm, build, call, cublas, factors, narrowed, result_for, widened
from tensor_bulk_profile import profile
from tensor_kernels import Gemm, compile_all
from tensor_kernels import call as call_older

Shape = tuple[int, int, int]  # of C = A B: the rows and the columns of C, and the depth
SQUARES: tuple[Shape, ...] = tuple((n, n, n) for n in (1024, 2048, 3072, 4096, 6144, 8192, 16384))
#: Tokens, and the sides of weights of models: of 8 billion parameters, of 70 billion, and of 7 and 175 billion.
MODELS: tuple[Shape, ...] = (
    *((4096, 6144, 4096), (4096, 14336, 4096), (4096, 4096, 14336)),
    *((8192, 1024, 8192), (8192, 28672, 8192), (8192, 8192, 28672)),
    *((2048, 11008, 4096), (2048, 12288, 12288)),
)
#: Sizes of kernel 09, and whether clusters share the last tiles.
CHOICES: tuple[tuple[Mapping[str, int], bool], ...] = (
    ({}, False),
    ({}, True),
    ({"BN": 192}, False),
    ({"BN": 128, "STAGES": 6}, False),
    ({"BM": 64, "BN": 128, "STAGES": 8}, False),
)
#: Types of A and B, type of C, shapes.
WANTED: tuple[tuple[str, str, tuple[Shape, ...]], ...] = (
    ("FP16", "FP32", SQUARES + MODELS),
    ("BF16", "FP32", SQUARES + MODELS),
    ("FP16", "FP16", SQUARES),
    ("BF16", "BF16", SQUARES),
    ("TF32", "FP32", SQUARES[:-1]),
)
#: Changes of kernel 09's text: a line, and what comes before it.
EXPECT, PIECE = "expect(STAGE, &full[slot]);", "char* piece = pieces + (2 * warp + p % 2) * PIECE;"
COPIES = {EXPECT: f"if (phase >= STAGES) {{\n arrive(&full[slot], rank);\n continue;\n}}\n{EXPECT}"}
STORES = {PIECE: f"if (K >= 0) continue;\n{PIECE}"}
#: What is left out, by a change of the text or of the sizes.
WITHOUT: tuple[tuple[str, Mapping[str, str], Mapping[str, int]], ...] = (
    ("nothing", {}, {}),
    ("copies after each tile's first", COPIES, {}),
    ("stores of C", STORES, {}),
    ("both", {**COPIES, **STORES}, {}),
    ("the fourth slot", {}, {"STAGES": 3}),
    ("the order of tiles", {}, {"GROUP": 1}),
    ("half the columns", {}, {"BN": 128, "STAGES": 6}),
    ("clusters", {}, {"CLUSTER": 1}),
    ("clusters of 2 (4 instead)", {}, {"CLUSTER": 4, "GROUP": 4}),
)

Call = Callable[[], None]


def check(gemm: BulkGemm) -> None:
    """Check that the kernel is right: within rounding, and for small whole numbers exactly, where C's type has them."""
    shapes: tuple[Shape, ...] = ((256, 256, 64), (512, 768, 320))
    if gemm.persistent:
        shapes = ((256, 256, 64), (1000, 1032, 328), (3000, 2056, 1032))
    for rows, cols, depth in shapes:
        a, b = (cp.random.standard_normal(shape, dtype=cp.float32) for shape in ((rows, depth), (depth, cols)))
        c = result_for(gemm.output, rows, cols)
        digits = {"FP32": 1e-5 * depth, "FP16": 4e-3 * depth**0.5, "BF16": 3e-2 * depth**0.5}[gemm.output]
        exact = 0 if gemm.output == "FP32" else 4 * digits
        for x, y, most in ((a, b, digits), (cp.rint(2 * a), cp.rint(2 * b), exact)):
            x, y = narrowed(x, gemm.type), narrowed(y, gemm.type)
            want = widened(x) @ widened(y)
            product = call(gemm, x, y, c)
            for _ in range(2):  # the second finds `done` as the first has left it
                c.view(cp.uint8).fill(255)
                product()
                error = float(cp.abs(widened(c) - want).max())
                assert error <= most, f"{gemm.file} {gemm.tile} {gemm.type} {gemm.output} is wrong by {error}"


def fastest(timer: Timer, calls: list[Call]) -> int:
    """Which of the calls has the shortest median of three."""
    return int(np.argmin([np.median(times) for times in timer.series(3, *calls)]))


def products(gemms: list[BulkGemm], older: list[Gemm], timer: Timer) -> Iterator[Row]:
    for kind, output, shapes in WANTED:
        for shape in shapes:
            yield from _rows(timer, gemms, older, kind, output, shape)


def _rows(
    timer: Timer, gemms: list[BulkGemm], older: list[Gemm], kind: str, output: str, shape: Shape
) -> Iterator[Row]:
    rows, cols, depth = shape
    a, b = factors(kind, rows, depth), factors(kind, depth, cols)
    c, d, e = (result_for(output, rows, cols) for _ in range(3))
    listed = cublaslt.products(kind, output, a, b, e)
    libraries = (cublas(kind, output, a, b, d), listed[fastest(timer, listed)])
    chosen: list[tuple[str, str, bool, Call]] = []
    fitting = [gemm for gemm in gemms if (gemm.type, gemm.output) == (kind, output)]
    for file in dict.fromkeys(gemm.file for gemm in fitting):
        choices = [gemm for gemm in fitting if gemm.file == file and (gemm.persistent or _fits(gemm.sizes, shape))]
        calls = [call(gemm, a, b, c) for gemm in choices]
        if calls:
            best = fastest(timer, calls) if len(calls) > 1 else 0
            chosen.append((file, choices[best].tile, choices[best].sharing, calls[best]))
    for old in older:
        if old.type == kind and output == "FP32" and _fits(old.sizes, shape):
            tile = " x ".join(str(old.sizes[side]) for side in ("BM", "BN", "BK"))
            chosen.append((old.file, tile, False, call_older(old, old.load(), a, b, c)))
    runs = max(9, min(40, int(2e13 / (rows * cols * depth))))
    *own, of_cublas, of_lt = timer.series(runs, *(one for *_, one in chosen), *libraries)
    cublas_ms, lt_ms = np.median(of_cublas), np.median(of_lt)
    operations = 2 * rows * cols * depth / 1e9
    most = 0.02 * depth**0.5 if output != "BF16" else 0.1 * depth**0.5

    def same(x: cp.ndarray) -> bool:  # as cuBLAS's; FP64 needs room
        parts = (slice(first, first + 4096) for first in range(0, rows, 4096))
        return all(float(cp.abs(widened(x[part]) - widened(d[part])).max()) <= most for part in parts)

    assert same(e), f"cuBLASLt is wrong at {shape}"
    for (file, tile, sharing, product), times in sorted(zip(chosen, own, strict=True), key=lambda pair: pair[0][0]):
        c.view(cp.uint8).fill(255)
        product()
        assert same(c), f"{file} is wrong at {shape}"
        yield {
            "type": kind,
            "output": output,
            "kernel": file,
            "m": rows,
            "n": cols,
            "k": depth,
            "square": "yes" if rows == cols == depth else "no",
            "tile": tile,
            "shared_tiles": "yes" if sharing else "no",
            **summary(times),
            "tflops": f"{operations / np.median(times):.1f}",
            "cublas_tflops": f"{operations / cublas_ms:.1f}",
            "percent_of_cublas": f"{100 * cublas_ms / np.median(times):.1f}",
            "cublaslt_tflops": f"{operations / lt_ms:.1f}",
            "percent_of_best": f"{100 * min(cublas_ms, lt_ms) / np.median(times):.1f}",
        }


def _fits(sizes: Mapping[str, int], shape: Shape) -> bool:
    rows, cols, depth = shape
    return rows % sizes["BM"] == 0 and cols % sizes["BN"] == 0 and depth % (2 * sizes["BK"]) == 0


def without(timer: Timer, gemms: Iterable[BulkGemm]) -> Iterator[Row]:
    for n, runs in ((4096, 20), (8192, 10)):
        a, b, c, d = (*(factors("FP16", n, n) for _ in range(2)), *(result_for("FP32", n, n) for _ in range(2)))
        calls = [call(gemm, a, b, c) for gemm in gemms]
        *own, _ = timer.series(runs, *calls, cublas("FP16", "FP32", a, b, d))
        for (what, *_), product, times in zip(WITHOUT, calls, own, strict=True):
            c.fill(cp.nan)
            product()
            yield {
                "type": "FP16",
                "kernel": "09_persistent",
                "n": n,
                "left_out": what,
                "right": "yes" if cp.allclose(c, d, rtol=0, atol=0.01 * n**0.5) else "no",
                **summary(times),
                "tflops": f"{2 * n**3 / 1e9 / np.median(times):.1f}",
            }


def main() -> None:
    os.environ.setdefault("CUDA_HOME", "/usr/local/cuda")
    timer, where = Timer(), {"cublaslt": cublaslt.version(), **machine()}
    wanted: list[tuple[str, str, str, Mapping[str, int], bool]] = [("08_tma", "FP16", "FP32", {}, False)]
    for kind, output, _ in WANTED:
        for sizes, sharing in CHOICES if kind != "TF32" else CHOICES[:2]:
            if output == "FP32" or not sharing:  # sums of parts would be rounded
                file = "10_persistent_tf32" if kind == "TF32" else "09_persistent"
                wanted.append((file, kind, output, sizes, sharing))
    with ThreadPoolExecutor() as pool:
        changed = [pool.submit(build, "09_persistent", "FP16", "FP32", sizes, False, of) for _, of, sizes in WITHOUT]
        built = [pool.submit(build, *one) for one in wanted]
        older = compile_all("0[67]_wgmma*")
        gemms = [one.result() for one in built]
    for gemm in gemms:
        check(gemm)
    write("tensor_bulk", products(gemms, older, timer), where)
    write("tensor_bulk_without", without(timer, [one.result() for one in changed]), where)
    write("tensor_bulk_profile", profile(), where)


if __name__ == "__main__":
    main()
