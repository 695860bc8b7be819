"""What the scripts of this folder share: kernels of book/kernels on the GPU, times, and the CSV.

They run on a machine with an NVIDIA GPU, CuPy and this package: `python book/data/measure_<what>.py`.
"""

import csv
import datetime
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

from autograder.nvrtc import compiler as nvrtc

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"


class Timer:
    """Times calls by CUDA events, with a cold L2 cache. Each call's time is in milliseconds."""

    def __init__(self) -> None:
        self._flush = cp.zeros(2 * cp.cuda.runtime.getDeviceProperties(0)["l2CacheSize"] // 4, cp.float32)
        self._begin, self._end = cp.cuda.Event(), cp.cuda.Event()

    def __call__(self, call: Callable[[], object]) -> float:
        self._flush.fill(0)
        self._begin.record()
        call()
        self._end.record()
        self._end.synchronize()
        return float(cp.cuda.get_elapsed_time(self._begin, self._end))

    def series(self, runs: int, *calls: Callable[[], object]) -> list[list[float]]:
        """The times of `runs` rounds, one list for each of `calls`, which take turns; one round more warms up."""
        rounds = [[self(call) for call in calls] for _ in range(runs + 1)]
        return [list(times) for times in zip(*rounds[1:], strict=True)]


class Loaded:
    """A kernel of a file in book/kernels, on this GPU: call it with grid, block, arguments (and shared_mem=bytes).

    Args:
        without: the line marked `// barrier <without>:` is emptied first; 0 for none.
        name: which `__global__` function, or a template's instance ("downsample<256, 4>"); may be left
            out where the file has one.

    Raises:
        AssertionError: the file has no such mark, or NVRTC does not compile it.
    """

    def __init__(self, file: str, without: int = 0, name: str = "") -> None:
        source = (KERNELS / file).read_text()
        if without:
            source, marks = re.subn(rf"^.*// barrier {without}:.*$", "", source, flags=re.MULTILINE)
            assert marks == 1, f"{file}: {marks} lines are marked '// barrier {without}:'"
        if not name:
            (name,) = re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", source)
        self.name = name
        self.result = nvrtc.compile_for(source, name, f"sm_{cp.cuda.Device().compute_capability}")
        assert self.result.ok, f"{file}: {self.result.log}"
        self._module = cp.cuda.Module()
        self._module.load(self.result.cubin)
        self._function = self._module.get_function(self.result.entry)

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], args: Any, shared_mem: int = 0) -> None:
        self._function(grid, block, args, shared_mem=shared_mem)


def random(*shape: int) -> cp.ndarray:
    return cp.random.standard_normal(shape, dtype=cp.float32)


def summary(times: list[float]) -> dict[str, Any]:
    """The columns runs, median_ms and spread_ms (the interquartile range) of times in milliseconds."""
    low, high = np.percentile(times, [25, 75])
    return {"runs": len(times), "median_ms": f"{np.median(times):.4f}", "spread_ms": f"{high - low:.4f}"}


def machine() -> dict[str, str]:
    """The columns that say where and when: device, driver, cuda, date, script."""
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    cuda = cp.cuda.runtime.runtimeGetVersion()
    return {
        "device": cp.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "driver": subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0],
        "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}",
        "date": datetime.date.today().isoformat(),
        "script": f"book/data/{Path(sys.argv[0]).name}",
    }


def write(name: str, rows: Iterable[dict[str, Any]], where: dict[str, str]) -> None:
    """Writes <name>_<gpu>.csv beside this file, row by row as they come, each followed by `where`."""
    path = HERE / f"{name}_{re.sub(r'[^a-z0-9]+', '_', where['device'].lower())}.csv"
    with path.open("w", newline="") as file:
        for row in rows:
            if file.tell() == 0:
                writer = csv.DictWriter(file, [*row, *where], lineterminator="\n")
                writer.writeheader()
            writer.writerow({**row, **where})
            file.flush()
            print(*row.values(), flush=True)
    print(f"wrote {path.name}", flush=True)
