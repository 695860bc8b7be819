"""A rung of the ladder on this GPU, for measure_gemm.py and gemm_profile.py."""

import functools
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np
from gemm_rungs import Rung
from measuring import compiled


class Compiled:
    """A rung on this GPU."""

    def __init__(self, rung: Rung) -> None:
        self.rung = rung
        self.result, self._function = compiled(rung.source, rung.name)

    def fitted(self, rows: int, cols: int, depth: int) -> "Compiled":
        """The rung as it is launched for such a product: see `Rung.fitted`."""
        return on_gpu(self.rung.fitted(rows, cols, depth))

    def call(self, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray, m: int = 16) -> Callable[[], None]:
        """The function that computes c = a b."""
        rows, cols = c.shape
        words = self.rung.launch(rows, cols, m)
        grid, block = (v if isinstance(v, tuple) else (v,) for v in (words["grid"], words["block"]))
        driver, shared = cp.cuda.driver, words["shared_mem"]
        driver.funcSetAttribute(self._function.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
        args = (a, b, c, *map(np.int32, (rows, cols, a.shape[1])))
        if lengths := self.rung.workspace(rows, cols):
            args += cp.empty(lengths[0], cp.float32), cp.zeros(lengths[1], cp.int32)
        return lambda: self._function(grid, block, args, shared_mem=shared)

    def resources(self, m: int = 16) -> dict[str, Any]:
        """A launch's resources: the columns threads, registers, local_bytes, shared_bytes, blocks_per_sm, occupancy."""
        words = self.rung.launch(4096, 4096, m)
        threads = int(np.prod(words["block"]))
        blocks = cp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._function.ptr, threads, words["shared_mem"]
        )
        most = cp.cuda.runtime.getDeviceProperties(0)["maxThreadsPerMultiProcessor"]
        return {
            "threads": threads,
            "registers": self.result.registers,
            "local_bytes": self.result.local,
            "shared_bytes": self.result.static_shared + words["shared_mem"],
            "blocks_per_sm": blocks,
            "occupancy": f"{blocks * threads / most:.3f}",
        }


@functools.cache
def on_gpu(rung: Rung) -> Compiled:
    """A rung, compiled once."""
    return Compiled(rung)
