"""Implements `autograder tune gemm`: finds the tile sizes that make the course's fastest matrix product fastest here.

The kernel's text declares its sizes as `constexpr int`; we replace them, compile, time the result, and record the
best ones under the GPU's name. The search first covers a coarse grid, and then moves through the neighbors of the
best candidate until none is better.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..backends import gpu
from ..checks.speed import median
from ..core.launch import Launch, prepare
from ..core.run import TimedRun
from ..errors import GraderFault, UsageError
from ..nvrtc import compiler as nvrtc
from ..performance import measurements

KERNEL = Path("book/kernels/gemm/11_tuned.cu")
RESULTS = Path("book/data")
#: Timed launches of each candidate; how many of the best are timed again, and how often those are reloaded.
ROUNDS, FINALISTS, FINAL_LOADS = 5, 6, 4

Sizes = Mapping[str, int]
#: The values that the search tries for each size when it moves between candidates.
STEPS = {
    "BK": (8, 16),
    "LANES_M": (2, 4, 8, 16),
    "STAGES": (2, 3, 4),
    "UNROLL": (1, 2, 4),
    "BLOCKS": (1, 2),
    "BAND": (4, 8, 16),
}
#: Tiles of C and their warps, down and across: BM, BN, WARPS_M, WARPS_N.
TILES = (
    (128, 256, 2, 4),
    (128, 256, 4, 2),
    (256, 128, 4, 2),
    (256, 128, 2, 4),
    (128, 128, 2, 2),
    (128, 128, 4, 2),
    (128, 128, 2, 4),
    (64, 128, 1, 2),
    (64, 128, 2, 2),
    (128, 64, 2, 1),
    (64, 64, 1, 2),
)


def add_command(commands: Any) -> None:
    """Add `tune` to the command line's subparsers, `commands`."""
    tune = commands.add_parser("tune", help="find the fastest tile sizes for this machine's GPU")
    tune.add_argument("kernel", choices=["gemm"])
    tune.add_argument("--n", type=int, default=4096, help="side of the matrices (default: 4096)")
    tune.set_defaults(command=_tune)


def _tune(options: argparse.Namespace) -> int:
    if options.n < 256:
        raise UsageError(f"--n {options.n} must be at least 256: a smaller product keeps no GPU busy.")
    if not KERNEL.is_file():
        raise UsageError(f"There is no {KERNEL} here: run this in the course's repository.")
    name = gpu.device_name()
    rows = tune_gemm(KERNEL.read_text(), options.n)
    cuda = "{}.{}".format(*nvrtc.version())  # of the CUDA that compiles
    origin = measurements.origin("autograder tune gemm", device=name, driver=measurements.driver(), cuda=cuda)
    path = RESULTS / measurements.file_name("tuned", name)
    measurements.write(path, rows, origin)
    print(f"wrote {path}")
    return 0


def sizes_in(source: str) -> dict[str, int]:
    """The sizes that the kernel's text declares, by name."""
    lines = re.findall(r"^constexpr int (\w+ = \d+(?:, \w+ = \d+)*);", source, re.MULTILINE)
    return {name: int(value) for line in lines for name, value in re.findall(r"(\w+) = (\d+)", line)}


def with_sizes(source: str, sizes: Sizes) -> str:
    """Replace sizes in the kernel's text."""
    for name, value in sizes.items():
        source, count = re.subn(rf"^(constexpr int .*?\b{name} = )\d+", rf"\g<1>{value}", source, flags=re.MULTILINE)
        if count != 1:
            raise GraderFault(f"The kernel declares {name} {count} times, not once.")
    return source


def launch_words(sizes: Sizes, rows: int, cols: int) -> dict[str, int]:
    """`grid`, `block`, and `shared_mem` of the kernel with `sizes`, for a product of rows x cols."""
    down, across = -(-rows // sizes["BM"]), -(-cols // sizes["BN"])
    tiles = sizes["BK"] * (sizes["BM"] + 4 + sizes["BN"])
    return {
        "grid": down * across,
        "block": 32 * sizes["WARPS_M"] * sizes["WARPS_N"],
        "shared_mem": 4 * sizes["STAGES"] * tiles,
    }


def fits(sizes: Sizes) -> bool:
    """Whether these sizes meet the kernel's static_asserts and fit a block's resources."""
    threads = 32 * sizes["WARPS_M"] * sizes["WARPS_N"]
    lanes_n = 32 // sizes["LANES_M"]
    tm, tn = sizes["BM"] // sizes["WARPS_M"] // sizes["LANES_M"], sizes["BN"] // sizes["WARPS_N"] // lanes_n
    rows_a, rows_b = threads // 8, 4 * threads // sizes["BN"]
    if tm < 4 or tn < 4 or tm % 4 or tn % 4 or not 32 <= tm * tn <= 128 or rows_b == 0:
        return False
    if 4 * threads % sizes["BN"] or sizes["BM"] % rows_a or sizes["BK"] % rows_b:
        return False
    copies = sizes["BM"] // rows_a * (sizes["BK"] // 8) + sizes["BK"] // rows_b
    registers = sizes["BLOCKS"] * threads * (tm * tn + 2 * (tm + tn) + 16)
    return copies <= 2 * (sizes["BK"] - 1) and registers <= 65536 and sizes["UNROLL"] * sizes["BK"] * tm * tn <= 4096


def coarse() -> Iterator[dict[str, int]]:
    """The candidates that the search starts from."""
    for bm, bn, warps_m, warps_n in TILES:
        for lanes_m in (4, 8):
            for stages, blocks in ((2, 1), (3, 2)):
                sizes = {"BM": bm, "BN": bn, "BK": 8, "WARPS_M": warps_m, "WARPS_N": warps_n, "LANES_M": lanes_m}
                unroll = 4 if blocks == 1 else stages
                sizes |= {"STAGES": stages, "UNROLL": unroll, "BLOCKS": blocks, "BAND": 8}
                if fits(sizes):
                    yield sizes


def neighbors(sizes: Sizes) -> Iterator[dict[str, int]]:
    """The candidates that differ from `sizes` in one size."""
    for name, values in STEPS.items():
        for value in values:
            other = {**sizes, name: value}
            if value != sizes[name] and fits(other):
                yield other


def search(
    start: Iterable[Sizes], near: Callable[[Sizes], Iterable[Sizes]], cost: Callable[[Sizes], float]
) -> list[tuple[float, Sizes]]:
    """Search from `start` through the neighbors of the cheapest candidate until none is cheaper; return
    (cost, sizes) of everything that was tried, cheapest first."""
    tried: dict[tuple[tuple[str, int], ...], tuple[float, Sizes]] = {}

    def attempt(candidates: Iterable[Sizes]) -> None:
        for sizes in candidates:
            key = tuple(sorted(sizes.items()))
            if key not in tried:
                tried[key] = (cost(sizes), sizes)

    def ranked() -> list[tuple[float, Sizes]]:
        return sorted(tried.values(), key=lambda one: one[0])

    attempt(start)
    while True:
        best = ranked()[0][1]
        attempt(near(best))
        if ranked()[0][1] == best:
            return ranked()


def tune_gemm(
    source: str,
    n: int,
    time: Callable[[list[Launch], int], tuple[TimedRun, ...]] = gpu.time,
    time_library: Callable[[list[Launch], int], tuple[TimedRun, ...]] = gpu.time_product,
    restart: Callable[[], None] = gpu.close,
    say: Callable[[str], None] = print,
) -> list[dict[str, Any]]:
    """Run the search and return its finalists, best first, as they are recorded.

    Args:
        source: the kernel's text.
        n: side of the matrices.
        time, time_library: time launches of the kernel, and of cuBLAS in its place.
        restart: ends the process that runs kernels; the next launch starts a new one.
        say: is called with every candidate.

    Raises:
        UsageError: there is no GPU.
        GraderFault: no candidate gives a correct result.
    """
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, n, n), dtype=np.float32)
    arguments = [a, b, np.full((n, n), np.nan, np.float32), n, n, n]

    def launch(sizes: Sizes) -> Launch:
        words = launch_words(sizes, n, n)
        text = with_sizes(source, sizes)
        return prepare(text, "gemm_tuned", words["grid"], words["block"], arguments, words["shared_mem"])

    first = next(coarse())
    (library,) = time_library([launch(first)], ROUNDS)
    want = library.run.outputs[2]

    def cost(sizes: Sizes) -> float:
        try:
            (timed,) = time([launch(sizes)], ROUNDS)
        except UsageError:  # it needs more shared memory than this GPU has
            return float("inf")
        right = timed.run.completed and np.allclose(timed.run.outputs[2], want, rtol=0, atol=1e-5 * n)
        took = median(timed.times) if right else float("inf")
        say(f"{took:8.3f} ms   " + " ".join(f"{name}={value}" for name, value in sizes.items()))
        return took

    tried = search(coarse(), neighbors, cost)
    if not np.isfinite(tried[0][0]):
        raise GraderFault("No sizes gave a right result.")
    # The same machine code can be slower when it is loaded again. So we load the best candidates several
    # times, in new processes, and rank them by their slowest time.
    finals: dict[int, list[float]] = {}
    theirs: list[float] = []
    for _ in range(FINAL_LOADS):
        restart()
        for place, (_, sizes) in enumerate(tried[:FINALISTS]):
            finals.setdefault(place, []).append(cost(sizes))
        theirs.append(median(time_library([launch(first)], ROUNDS)[0].times))
    tflops = 2 * n**3 / 1e9
    return [
        {
            "place": place,
            "n": n,
            **tried[found][1],
            "loads": FINAL_LOADS,
            "median_ms": f"{median(finals[found]):.4f}",
            "slowest_ms": f"{max(finals[found]):.4f}",
            "tflops": f"{tflops / median(finals[found]):.2f}",
            "cublas_tflops": f"{tflops / median(theirs):.2f}",
            "percent_of_cublas": f"{100 * median(theirs) / median(finals[found]):.1f}",
            "tried": len(tried),
        }
        for place, found in enumerate(sorted(finals, key=lambda one: max(finals[one])), start=1)
    ]
