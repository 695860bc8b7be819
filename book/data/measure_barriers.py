"""How often does a GPU hide a missing barrier, and what does a barrier cost?

Run it on a machine with an NVIDIA GPU, CuPy and numpy: `python book/data/measure_barriers.py`. It takes
about a minute and writes barriers_<gpu>.csv beside itself. Each row is one kernel of book/kernels at one
size: as it is (barrier_removed 0), or with the line marked `// barrier 1:` or `// barrier 2:` emptied.
`passes` of `runs` launches, each with fresh random input, gave what numpy gives; the times are those of
one launch, in microseconds, by CUDA events.
"""

import csv
import datetime
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

HERE = Path(__file__).resolve().parent
RUNS, WARM_UPS, TIMINGS = 30, 5, 20
SMALL, LARGE = (64, 100, 1000), 1 << 22  # LARGE: so long that its time says something
BLOCKS = (64, 256, 1024)


@dataclass(frozen=True)
class Case:
    """One launch: what it gets, and what numpy says must be in `out` afterwards."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    inputs: list[np.ndarray]
    n: int
    expected: np.ndarray
    shared_mem: int = 0


def neighbor_update(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.random(n, np.float32)
    last = np.minimum(np.arange(n) // block * block + block, n) - 1  # of the element's block
    right = np.where(np.arange(n) == last, np.arange(n) // block * block, np.arange(n) + 1)
    return Case((-(-n // block),), (block,), [x], n, x + x[right], 4 * block)


def rotate_rounds(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.random(block, np.float32)  # the kernel has one block; n is how many rounds it makes
    return Case((1,), (block,), [x], n, np.roll(x, -32 * n))


def gemm(rng: np.random.Generator, n: int, block: int) -> Case:
    # Small whole numbers: float32 adds them exactly, so that every difference is a wrong one.
    a, b = rng.integers(0, 10, (2, n, n)).astype(np.float32)
    return Case((n // block, n // block), (block, block), [a, b], n, a @ b)


def count_digits(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.integers(0, 1000, n, np.int32)
    blocks = -(-n // block)
    counts = np.bincount(np.arange(n) // block * 10 + x % 10, minlength=10 * blocks)
    return Case((blocks,), (block,), [x], n, counts.astype(np.int32))


#: file in book/kernels, its barriers, how to make a case, and the (n, block) to measure
KERNELS: list[tuple[str, int, Callable[[np.random.Generator, int, int], Case], list[tuple[int, int]]]] = [
    ("barriers/neighbor_update.cu", 1, neighbor_update, [(n, b) for n in (*SMALL, LARGE) for b in BLOCKS]),
    ("rotate_rounds.cu", 2, rotate_rounds, [(1, 128), (2, 128), (100, 128), (10_000, 128)]),
    ("gemm_square_tiles.cu", 2, gemm, [(n, 16) for n in (16, 64, 112, 1008, 2048)]),
    ("barriers/count_digits.cu", 2, count_digits, [(n, b) for n in (*SMALL, LARGE) for b in BLOCKS]),
]


def compiled(file: str, without: int) -> Any:
    """The kernel of a file with one barrier's line emptied (0: none), for the GPU."""
    source = (HERE.parent / "kernels" / file).read_text()
    if without:
        source, marks = re.subn(rf"^.*// barrier {without}:.*$", "", source, flags=re.MULTILINE)
        assert marks == 1, f"{file}: {marks} lines are marked '// barrier {without}:'"
    (name,) = re.findall(r"__global__\s+void\s+(\w+)", source)
    return cp.RawModule(code=source, options=("-std=c++17",), name_expressions=[name]).get_function(name)


def measure(kernel: Any, case: Callable[[], Case]) -> dict[str, Any]:
    passes = 0
    for _ in range(RUNS):
        c = case()
        # -1 is no right answer of any of these kernels: an element that nobody writes is wrong.
        out = cp.full(c.expected.shape, -1, c.expected.dtype)
        args = (*map(cp.asarray, c.inputs), out, np.int32(c.n))
        kernel(c.grid, c.block, args, shared_mem=c.shared_mem)
        passes += bool(np.allclose(out.get(), c.expected))
    times = []
    for i in range(WARM_UPS + TIMINGS):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        kernel(c.grid, c.block, args, shared_mem=c.shared_mem)
        end.record()
        end.synchronize()
        if i >= WARM_UPS:
            times.append(1000 * cp.cuda.get_elapsed_time(begin, end))
    spread = {"median_us": np.median(times), "min_us": min(times), "max_us": max(times)}
    return {"runs": RUNS, "passes": passes, **{key: f"{value:.2f}" for key, value in spread.items()}}


def machine() -> dict[str, str]:
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    cuda = cp.cuda.runtime.runtimeGetVersion()
    return {
        "device": cp.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "driver": subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0],
        "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}",
        "date": datetime.date.today().isoformat(),
        "script": f"book/data/{Path(__file__).name}",
    }


def rows() -> Iterator[dict[str, Any]]:
    rng, where = np.random.default_rng(), machine()
    for file, barriers, make, sizes in KERNELS:
        for removed in range(barriers + 1):
            kernel = compiled(file, removed)
            for n, block in sizes:
                result = measure(kernel, lambda make=make, n=n, block=block: make(rng, n, block))
                about = {"kernel": Path(file).stem, "barrier_removed": removed, "n": n, "block": block}
                yield {**about, **result, **where}


def main() -> None:
    gpu = re.sub(r"\W+", "_", machine()["device"].lower())
    path = HERE / f"barriers_{gpu}.csv"
    with path.open("w", newline="") as file:
        for row in rows():
            if file.tell() == 0:
                writer = csv.DictWriter(file, row, lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
            print(*list(row.values())[:9], flush=True)
            assert row["barrier_removed"] or row["passes"] == RUNS, "the whole kernel must always pass"
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
