"""Decides how much of a program's launches is checked: as much as ends soon, counted in accesses and not in seconds, so
that the verdict is the same on every machine."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from ...compiler.toolchain import Module
from ...core.child_launches import ChildUses
from ...core.findings import Kind
from ...core.launch import Area, ProgramLaunch
from ...core.run import Counts, Run
from ..progress import Progress
from .kernels import KernelText, run_launch

#: Accesses that are checked in a whole program, of one kernel, and before the cost of a launch is known.
WHOLE_PROGRAM, _KERNEL, _LAUNCH = 1 << 26, 1 << 24, 1 << 22
#: What else costs time, in accesses: starting a process, starting a thread, and copying 64 bytes of the GPU's memory.
_PROCESS, _THREAD, _BYTES = 20_000, 4, 64
#: Most bytes on the GPU with which a launch is checked, which copies them.
_MOST_BYTES = 1 << 29
#: Bytes from the beginning of the GPU's memory to the end of what such a launch finds.
_MOST_SPREAD = 6 << 28
#: Threads of a launch that is not worth sampling.
_FEW = 4096
#: How many neighbors in a row are checked in each of three places of an axis, by the axes that a grid has.
_NEIGHBORS = {1: 8, 2: 2, 3: 1}
#: Calls by which a block may wait for others: for those with lower numbers, if not for all.
_WAITS = re.compile(r"emu_(fence|grid_|release|acquire|spin)")


class Budget:
    """What is left to be checked.

    Args:
        accesses: of all launches; 0: each launch is only computed; None: each is checked to its end.
        limited: of a stranger's program, see `run_launch`.
        progress: says how far a launch is.
    """

    def __init__(self, accesses: int | None, progress: Progress | None, *, limited: bool) -> None:
        self._left, self._limited = accesses, limited
        self._watch = progress.check if progress else None
        self._spent: Counter[KernelText] = Counter()
        self._of_a_thread: dict[KernelText, float] = {}

    def check(self, kernel: KernelText, launch: ProgramLaunch, areas: Sequence[Area]) -> Run | None:
        """Check a launch of a kernel that compiles, or the first blocks of it, or samples; None: it must be computed.
        Of a part, `Run.blocks` says how many blocks it has, and its findings are true: the GPU may run these blocks
        before the others. Raises what `run_launch` raises."""
        if self._left is None:
            return run_launch(launch, areas, limited=self._limited, watch=self._watch)
        size = sum(area.values.nbytes for area in areas)
        fixed = _PROCESS + size // _BYTES
        room = min(self._left, _KERNEL - self._spent[kernel]) - fixed
        end = max((area.start + area.values.nbytes for area in areas), default=0)
        if room <= 0 or size > _MOST_BYTES or end > _MOST_SPREAD:
            return None
        cost = self._of_a_thread.get(kernel, math.inf) * launch.threads
        if cost > room:
            blocks = () if launch.threads <= _FEW else _sample(kernel, launch)
            run = run_launch(launch, areas, blocks=blocks, max_work=min(room, _LAUNCH), watch=self._watch)
            self._pay(kernel, launch, run, fixed)
            room -= fixed
            # A block that ends only after others have run is no endless loop.
            endless = any(finding.kind is Kind.STEP_LIMIT for finding in run.findings)
            if run.blocks == math.prod(launch.grid) or not (run.completed or endless):
                return run
            if not endless and self._of_a_thread[kernel] * launch.threads > room:
                return run
        run = run_launch(launch, areas, watch=self._watch)
        self._pay(kernel, launch, run, fixed)
        return run

    def check_again(
        self, kernel: KernelText, launch: ProgramLaunch, areas: Sequence[Area], child_uses: Sequence[ChildUses]
    ) -> Run:
        """Check a launch once more that was checked whole, to find what races with what its children use."""
        run = run_launch(launch, areas, limited=self._limited, child_uses=child_uses)
        if self._left is not None:
            self._pay(kernel, launch, run, _PROCESS + sum(area.values.nbytes for area in areas) // _BYTES)
        return run

    def _pay(self, kernel: KernelText, launch: ProgramLaunch, run: Run, fixed: int) -> None:
        threads = max(run.blocks, 1) * math.prod(launch.block)
        work = _accesses(run.counts) + _THREAD * threads
        self._of_a_thread[kernel] = work / threads
        self._spent[kernel] += work + fixed
        assert self._left is not None
        self._left -= work + fixed


def _accesses(counts: Counts | None) -> int:
    if counts is None:
        return 0
    loads = counts.global_loads + counts.shared_loads + counts.remote_loads + counts.constant_loads
    stores = counts.global_stores + counts.shared_stores + counts.remote_stores
    return loads + stores + counts.atomics + counts.barriers + counts.shuffles


def _sample(kernel: KernelText, launch: ProgramLaunch) -> tuple[int, ...]:
    """The blocks to check of a large launch: along each axis, neighbors at the beginning, in the middle and at the end;
    or the first ones, where blocks may wait for earlier ones. None: all have to run together."""
    assert isinstance(kernel.compiled, Module)
    info, blocks = kernel.compiled.info, math.prod(launch.grid)
    if "emu_grid_barrier" in info.calls or info.cluster or info.is_clustered:
        return ()
    if any(_WAITS.match(call) for call in info.calls):
        return tuple(range(min(blocks, 3 * _NEIGHBORS[1])))
    neighbors = _NEIGHBORS[max(1, sum(size > 1 for size in launch.grid))]
    x, y, z = (tuple(_places(size, neighbors)) for size in launch.grid)
    width, height, _ = launch.grid
    return tuple(i + width * (j + height * k) for k, j, i in product(z, y, x))


def _places(size: int, neighbors: int) -> Iterator[int]:
    starts = (0, (size - neighbors) // 2, size - neighbors)
    yield from sorted({start + i for start in starts for i in range(neighbors) if 0 <= start + i < size} | {0})
