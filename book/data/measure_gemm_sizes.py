"""How fast is the last rung of the ladder of matrix products at every size, and what did each of its ideas bring?

Run it on a machine with an NVIDIA GPU and CuPy, after `autograder tune gemm`: `python book/data/measure_gemm_sizes.py`.
It takes a minute and writes beside itself, for this GPU:

  gemm_sizes_<gpu>.csv   rungs 11 and 12 beside cuBLAS: SIDES, and SHAPES that are not square
  gemm_steps_<gpu>.csv   one idea after the other, for small matrices: smaller tiles, slices of K, shared tiles, and
                         what `gemm_tiles.choose` picks; `gain` is over the case above
  gemm_tails_<gpu>.csv   rung 12 with UNALIGNED, and what its last step costs there: TAILS
  gemm_waves_<gpu>.csv   one tile at many sides, with a block for each tile and with shared tiles, and cuBLAS

Launches take turns with cuBLAS', as in measure_gemm.py.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cupy as cp
import numpy as np
from gemm_on_gpu import on_gpu
from gemm_rungs import RUNGS, Rung
from measuring import Row, Timer, machine, random, summary, write
from places import DATA

from autograder.cuda.performance import gemm_tiles, measurements
from autograder.cuda.performance.gemm_tiles import Tile

SIDES = (512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 16384)
UNALIGNED = (127, 16001, 255)
#: Rows and columns of C, and K: tall, wide and deep ones; then some whose sides are not multiples of anything.
SHAPES = (
    *((8192, 256, 1024), (256, 8192, 1024), (256, 256, 16384), (1000, 2000, 500)),
    *((16383, 65, 513), UNALIGNED, (131, 129, 10007)),
    *((1021, 1019, 1013), (3001, 1999, 1003), (4097, 4095, 2049)),
)
#: What the last step is without, by the text that is replaced. (The compiler does not know that K is never negative.)
TAILS = {
    "as it is": ("", ""),
    "without gaps": ("GAP = 32 / LANES_M;", "GAP = 0;"),
    "nothing stored": ("        store_tile(C, ", "        if (K < 0) store_tile(C, "),
}
SMALL = (512, 768, 1024, 1536, 2048, 3072)
#: Tiles for the steps, as the columns of gemm_tiles.SIZES.
PLAIN = (64, 128, 16, 2, 2, 1, 4, 3, 1, 8, 4)
SLICED = (64, 128, 32, 2, 2, 2, 4, 3, 1, 8, 4)
WAVES = (128, 192, 16, 4, 2, 1, 4, 3, 1, 8, 4)
*_, BEFORE, LAST = RUNGS


def sized(tile: Sequence[int], side: int, grid: int = 0) -> Rung:
    """The last rung with this tile; `grid` is how many blocks share the tiles, 0 for one for each."""
    sizes = dict(zip(gemm_tiles.SIZES, tile, strict=True))
    most = gemm_tiles.tiles(sizes, side, side) * gemm_tiles.phases(sizes, side)
    return LAST.sized(sizes, min(grid, most))


def beside(timer: Timer, rungs: Sequence[Rung], rows: int, cols: int, depth: int, right: bool = True) -> Iterator[Row]:
    """The times of rungs for one product, each in turns with cuBLAS; they must be `right`."""
    a, b = random(rows, depth), random(depth, cols)
    c, d = cp.empty((rows, cols), cp.float32), cp.empty((rows, cols), cp.float32)
    operations = 2 * rows * cols * depth / 1e9
    runs = max(5, min(30, int(1e5 / operations)))
    for rung in rungs:
        own, other = timer.series(runs, on_gpu(rung).call(a, b, c), lambda: cp.matmul(a, b, out=d))
        close = cp.allclose(c, d, rtol=0, atol=1e-5 * depth)
        assert close or not right, f"{rung.name} is wrong for {rows} x {cols} x {depth}"
        sizes = gemm_tiles.sizes_in(rung.source)
        low, high = np.percentile(100 * np.array(other) / own, [25, 75])
        yield {
            "rows": rows,
            "cols": cols,
            "depth": depth,
            "kernel": rung.name,
            "tile": f"{sizes['BM']} x {sizes['BN']}",
            "slices": sizes.get("SLICES", 1),
            "blocks": rung.launch(rows, cols)["grid"],
            **summary(own),
            "tflops": f"{operations / np.median(own):.2f}",
            "cublas_tflops": f"{operations / np.median(other):.2f}",
            "percent_of_cublas": f"{100 * np.median(np.array(other) / own):.1f}",
            "percent_spread": f"{high - low:.2f}",
        }


def sizes(timer: Timer, known: Sequence[Tile], processors: int) -> Iterator[Row]:
    for shape in [(n, n, n) for n in SIDES] + list(SHAPES):
        yield from beside(timer, [BEFORE, LAST.fitted(*shape, known, processors)], *shape)


def steps(timer: Timer, known: Sequence[Tile], processors: int) -> Iterator[Row]:
    for n in SMALL:
        cases = {
            "rung 11": BEFORE,
            "smaller tiles": sized(PLAIN, n),
            "slices of K": sized(SLICED, n),
            "shared tiles": sized(SLICED, n, processors),
            "the best tile": LAST.fitted(n, n, n, known, processors),
        }
        before = 0.0
        for case, row in zip(cases, beside(timer, list(cases.values()), n, n, n), strict=True):
            took = float(row["median_ms"])
            yield {"case": case, **row, "gain": f"{before / took:.3f}" if before else ""}
            before = took


def tails(timer: Timer, known: Sequence[Tile], processors: int) -> Iterator[Row]:
    rung = LAST.fitted(*UNALIGNED, known, processors)
    for case, (old, new) in TAILS.items():
        assert not old or rung.source.count(old) == 1, f"the kernel has {old!r} {rung.source.count(old)} times"
        changed = replace(rung, source=rung.source.replace(old, new)) if old else rung
        for row in beside(timer, [changed], *UNALIGNED, right=case != "nothing stored"):
            yield {"case": case, **row, "us": f"{1000 * float(row['median_ms']):.1f}"}


def waves(timer: Timer, processors: int) -> Iterator[Row]:
    for n in range(256, 3073, 64):
        both = beside(timer, [sized(WAVES, n), sized(WAVES, n, processors)], n, n, n)
        for kind, row in zip(("a block for each tile", "shared tiles"), both, strict=True):
            yield {"kind": kind, "n": n, "blocks": row["blocks"], "tflops": row["tflops"]}
        yield {"kind": "cuBLAS", "n": n, "blocks": "", "tflops": row["cublas_tflops"]}


def main() -> None:
    assert "CUPY_TF32" not in os.environ, "cuBLAS must compute in FP32, not in TF32"
    timer, where = Timer(), machine()
    known = gemm_tiles.table(measurements.read(DATA / measurements.file_name("tuned", where["device"])))
    processors = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
    write("gemm_sizes", sizes(timer, known, processors), where)
    write("gemm_steps", steps(timer, known, processors), where)
    write("gemm_tails", tails(timer, known, processors), where)
    write("gemm_waves", waves(timer, processors), where)


if __name__ == "__main__":
    main()
