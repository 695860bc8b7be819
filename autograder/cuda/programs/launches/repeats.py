"""Launches that were computed before: the same kernel with the same arguments, which finds the same memory. Programs
that measure a kernel launch it hundreds of times so.

What such a launch left is written again in place of computing it. A launch may depend on an order of threads, or on a
clock, but what it left once is one of its outcomes.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.launch import Area, ProgramLaunch
from ...core.run import Run
from .kernels import KernelText

#: Bytes that are compared in a second, and how many times as long computing has to take before comparing pays.
_RATE, _TIMES = 1 << 29, 8
#: How often in a row the memory of a launch is compared in vain: a simulation never finds the same again.
_PATIENCE = 64
#: Most bytes that are kept of what launches have left.
_MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class _Left:
    """What a launch did: its run, and the new values of those areas that it has changed, by their number."""

    run: Run
    changed: dict[int, np.ndarray]


class Repeats:
    """What the launches of a program left that were computed."""

    def __init__(self) -> None:
        self._seconds: dict[bytes, float] = {}  # that a launch took to compute, by what it is
        self._left: dict[tuple[bytes, ...], _Left] = {}  # by what a launch is, and what it finds in each area
        self._new: Counter[bytes] = Counter()  # how often in a row a launch has found other memory than before
        self._bytes = 0

    def compute(
        self, kernel: KernelText, launch: ProgramLaunch, areas: Sequence[Area], compute: Callable[[], Run]
    ) -> Run:
        """Compute a launch of `kernel` in the memory that `areas` show, by `compute` unless its outcome is known."""
        what = _name(kernel, launch, areas)
        comparing = sum(area.values.nbytes for area in areas) / _RATE
        if self._seconds.get(what, 0) <= _TIMES * comparing or self._new[what] >= _PATIENCE:
            began = time.perf_counter()
            run = compute()
            self._seconds[what] = time.perf_counter() - began
            return run
        before = [_digest(area.values) for area in areas]
        if left := self._left.get((what, *before)):
            for number, values in left.changed.items():
                areas[number].values[...] = values
            self._new[what] = 0
            return left.run
        self._new[what] += 1
        run = compute()
        if run.completed and not run.children:
            after = [_digest(area.values) for area in areas]
            changed = {i: areas[i].values.copy() for i in range(len(areas)) if before[i] != after[i]}
            size = sum(values.nbytes for values in changed.values())
            if self._bytes + size <= _MOST_BYTES:
                self._bytes += size
                self._left[what, *before] = _Left(run, changed)
        return run


def _name(kernel: KernelText, launch: ProgramLaunch, areas: Sequence[Area]) -> bytes:
    """A name of a launch, and of where its memory is, but not of what that holds."""
    shape = (launch.grid, launch.block, launch.shared_mem, launch.stack, launch.depth, launch.most_launches)
    places = [(area.start, area.values.nbytes) for area in areas]
    arguments = [argument.tobytes() for argument in launch.args]
    parts = (kernel.unit, kernel.code.symbol, shape, places, arguments, sorted(launch.symbols.items()))
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()


def _digest(values: np.ndarray) -> bytes:
    return hashlib.blake2b(values.view(np.uint8).data, digest_size=16).digest()
