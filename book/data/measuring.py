"""Shared code of the scripts that need a GPU: kernels on it, their times, and the CSV with its origin.

They run on a machine with an NVIDIA GPU, CuPy and this package: `python book/data/measure_<what>.py`.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
from places import DATA, KERNELS

from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.performance import measurements

Cell = str | int | float
#: One row of a CSV: what stands in each column.
Row = dict[str, Cell]


def by_events(launch: Callable[[], object], between: Callable[[], object] = lambda: None) -> float:
    """The time of a launch in ms by CUDA events, with `between` called before it, inside the two events.

    The caches are as the previous launch left them.
    """
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    begin.record()
    between()
    launch()
    end.record()
    end.synchronize()
    return float(cp.cuda.get_elapsed_time(begin, end))


class Timer:
    """Times calls by CUDA events, with a cold L2 cache. Each call's time is in milliseconds.

    Before each call, `flush` times as much memory is written as the L2 cache holds: so much that the GPU is still busy
    when Python has made the call. Otherwise the time would be Python's.
    """

    def __init__(self, flush: int = 8) -> None:
        self._flush = cp.zeros(flush * cp.cuda.runtime.getDeviceProperties(0)["l2CacheSize"] // 4, cp.float32)
        self._begin, self._end = cp.cuda.Event(), cp.cuda.Event()

    def __call__(self, call: Callable[[], object]) -> float:
        self._flush.fill(0)
        self._begin.record()
        call()
        self._end.record()
        self._end.synchronize()
        return float(cp.cuda.get_elapsed_time(self._begin, self._end))

    def series(self, runs: int, *calls: Callable[[], object]) -> list[list[float]]:
        """The times of `runs` rounds, one list for each of `calls`, which alternate; one extra round warms up."""
        rounds = [[self(call) for call in calls] for _ in range(runs + 1)]
        return [list(times) for times in zip(*rounds[1:], strict=True)]


def compiled(source: str, name: str) -> tuple[nvrtc.NvrtcResult, Any]:
    """NVRTC's result for the kernel `name` of `source` on this GPU, and the kernel as CuPy launches it.

    Raises:
        AssertionError: it does not compile.
    """
    result = nvrtc.compile_for(source, name, f"sm_{cp.cuda.Device().compute_capability}")
    assert result.ok, f"{name}: {result.log}"
    module = cp.cuda.Module()
    module.load(result.cubin)
    return result, module.get_function(result.entry)


class Loaded:
    """A kernel of a file in book/kernels, on this GPU: call it with grid, block, arguments (and shared_mem=bytes).

    Args:
        without: the line marked `// barrier <without>:` or `// wait <without>:` is emptied first; 0 for none.
        name: which `__global__` function, or a template's instance ("downsample<256, 4>"); may be left
            out if the file has only one.

    Raises:
        AssertionError: the file has no such mark, or NVRTC does not compile it.
    """

    def __init__(self, file: str, without: int = 0, name: str = "") -> None:
        source = (KERNELS / file).read_text()
        if without:
            source, marks = re.subn(rf"^.*// (barrier|wait) {without}:.*$", "", source, flags=re.MULTILINE)
            assert marks == 1, f"{file}: {marks} lines are marked '// barrier {without}:'"
        if not name:
            (name,) = re.findall(r"__global__\s+void\s+(?:__\w+__\([^)]*\)\s*)?(\w+)", source)
        self.name = name
        self.result, self._function = compiled(source, name)

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], args: Any, shared_mem: int = 0) -> None:
        if shared_mem > nvrtc.MAX_STATIC_SHARED:  # more must be asked for
            more = cp.cuda.driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            cp.cuda.driver.funcSetAttribute(self._function.ptr, more, shared_mem)
        together = self.result.cooperative  # the blocks wait for the whole grid
        self._function(grid, block, args, shared_mem=shared_mem, enable_cooperative_groups=together)


def random(*shape: int) -> cp.ndarray:
    return cp.random.standard_normal(shape, dtype=cp.float32)


def summary(times: list[float]) -> Row:
    """The columns runs, median_ms and spread_ms (the interquartile range) of times in milliseconds."""
    low, high = np.percentile(times, [25, 75])
    return {"runs": len(times), "median_ms": f"{np.median(times):.4f}", "spread_ms": f"{high - low:.4f}"}


def machine() -> dict[str, str]:
    """The origin of this script's measurements: device, driver, cuda, date, script."""
    cuda = cp.cuda.runtime.runtimeGetVersion()
    return measurements.origin(
        f"book/data/{Path(sys.argv[0]).name}",
        device=cp.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        driver=measurements.driver(),
        cuda=f"{cuda // 1000}.{cuda % 1000 // 10}",
    )


def write(name: str, rows: Iterable[Mapping[str, object]], origin: Mapping[str, str]) -> None:
    """Write <name>_<gpu>.csv beside this file, and print each row as it comes."""

    def printed() -> Iterator[Mapping[str, object]]:
        for row in rows:
            print(*row.values(), flush=True)
            yield row

    path = DATA / measurements.file_name(name, origin["device"])
    measurements.write(path, printed(), origin)
    print(f"wrote {path.name}", flush=True)
