"""A traced run of a book kernel, prepared for figures: which thread accesses which bytes, and when.

Only this module knows the structure of a trace; the figures ask it for accesses and requests. A
request is what one warp asks of memory by one execution of an instruction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.toolchain import Module
from autograder.cuda.core.findings import Dim3
from autograder.cuda.core.run import TRACE_ACTIONS, Run, landings_as_writes
from autograder.cuda.kernel import Kernel

from . import cached_runs, kernels

WARP = 32
READ, WRITE, ATOMIC, _LEAVE = map(TRACE_ACTIONS.index, ("read", "write", "atomic", "leave_barrier"))
#: One access of one thread. `interval` is how many barriers the thread has passed; `turn` is how
#: often it has done the same (line, array, action) in this interval, from 0; `address` is in
#: bytes from the start of the array, which stands at a multiple of 256; `owner` is the block whose shared memory it is.
ACCESS = np.dtype(
    [
        (name, np.int64)
        for name in "step block thread warp lane interval array action index address line turn owner".split()
    ]
)


@dataclass(frozen=True)
class Array:
    """An array as the figures name it: `item` bytes an element; `shape` as it was passed or declared.

    `opaque` says that the kernel's own type for its elements is not known here, such as a struct's.
    """

    name: str
    item: int
    shape: tuple[int, ...]
    space: str
    opaque: bool = False

    def element(self, index: int) -> str:
        """Return the element at a flat index as the kernel would write it: tile[1][2], in[7]."""
        if self.opaque:
            return f"byte {index * self.item}"
        if self.space == "global":  # an argument is a pointer, whatever shape numpy gave it
            return f"{self.name}[{index}]"
        places = np.unravel_index(index, self.shape) if self.shape else ()
        return self.name + "".join(f"[{place}]" for place in places)


@dataclass(frozen=True)
class Request:
    """What one warp asks for by one instruction: `indices[i]` is the flat element of lane `lanes[i]`."""

    array: Array
    action: str
    line: int
    block: int
    warp: int
    lanes: tuple[int, ...]
    indices: tuple[int, ...]

    @property
    def addresses(self) -> tuple[int, ...]:
        """The first byte of each lane, from the start of the array."""
        return tuple(index * self.array.item for index in self.indices)


@dataclass(frozen=True)
class Traced:
    """A run with its accesses, of ACCESS, in the emulator's order; `source` has the line numbers."""

    file: str
    source: str
    grid: Dim3
    block: Dim3
    start: tuple[np.ndarray, ...]
    run: Run
    arrays: tuple[Array, ...]
    accesses: np.ndarray

    def line(self, mark: str) -> int:
        """Return the line that holds the comment `// mark` or `// mark: why`.

        Raises:
            ValueError: no line, or more than one, has it.
        """
        pattern = re.compile(rf"//\s*{re.escape(mark)}\s*(?::|$)")
        found = [number for number, text in enumerate(self.source.splitlines(), 1) if pattern.search(text)]
        if len(found) != 1:
            marks = re.findall(r"//\s*([\w ]+?)\s*(?::|$)", self.source, re.MULTILINE)
            raise ValueError(
                f"{self.file}: {len(found)} lines are marked '// {mark}', not one: end the line with "
                f"'// {mark}: why'. Its marks are: {', '.join(marks) or 'none'}."
            )
        return found[0]

    def array(self, name: str) -> int:
        """Return the number of the array of this name.

        Raises:
            ValueError: there is none.
        """
        names = [array.name for array in self.arrays]
        if name not in names:
            raise ValueError(f"{self.file} has no array '{name}': name one of {', '.join(names)}.")
        return names.index(name)

    def declared(self, name: str) -> tuple[int, ...]:
        """Return the shape that the kernel's text gives an array; an argument is a pointer, so it has one dimension.

        Raises:
            ValueError: there is no array of this name.
        """
        array = self.arrays[self.array(name)]
        return array.shape if array.space != "global" else (int(np.prod(array.shape)),)

    def select(self, array: str, mark: str = "", action: str = "", block: int | None = None) -> np.ndarray:
        """Return the accesses to one array; at one marked line, of one action, in one block where asked.

        Raises:
            ValueError: there is none; a sentence says what there is.
        """
        mine: np.ndarray = self.accesses[self.accesses["array"] == self.array(array)]
        where = f"'{array}'"
        for field, value, words in (
            ("block", block, f"in block {block}"),
            ("line", self.line(mark) if mark else None, f"in the line marked '// {mark}'"),
            ("action", TRACE_ACTIONS.index(action) if action else None, f"by {action}"),
        ):
            if value is None:
                continue
            where += f" {words}"
            selected = mine[mine[field] == value]
            if not len(selected):
                seen = sorted({int(held) for held in mine[field]})
                there = ", ".join(TRACE_ACTIONS[held] if field == "action" else str(held) for held in seen)
                raise ValueError(f"{self.file}: nobody touches {where}; it is touched at {field} {there or 'nowhere'}.")
            mine = selected
        if not len(mine):
            raise ValueError(f"{self.file}: nobody touches {where}: the launch never executes such a line.")
        return mine

    def request(self, array: str, mark: str, action: str = "", block: int = 0, warp: int = 0, time: int = 1) -> Request:
        """Return what one warp asks for at a marked line when it gets there for the `time`-th time (from 1).

        Raises:
            ValueError: there is none; or the line both reads and writes the array, and no action was named.
        """
        mine = self.select(array, mark, action, block)
        actions = {TRACE_ACTIONS[number] for number in mine["action"]}
        if len(actions) > 1:
            raise ValueError(
                f"{self.file}: the line marked '// {mark}' does both {' and '.join(sorted(actions))} of '{array}': "
                "choose one with :action:."
            )
        mine = mine[mine["warp"] == warp]
        times = np.unique(mine[["interval", "turn"]])
        if not 1 <= time <= len(times):
            raise ValueError(
                f"{self.file}: warp {warp} of block {block} executes the line marked '// {mark}' "
                f"{len(times)} times, so there is no time {time}."
            )
        mine = np.sort(mine[mine[["interval", "turn"]] == times[time - 1]], order="lane")
        return Request(
            self.arrays[self.array(array)],
            actions.pop(),
            int(mine["line"][0]),
            block,
            warp,
            tuple(int(index) for index in mine["lane"]),
            tuple(int(index) for index in mine["index"]),
        )

    def thread_name(self, thread: int) -> str:
        """Return a thread of a block for people: 5, or (1, 0) if the block has two dimensions."""
        return _name(thread, self.block)

    def block_name(self, block: int) -> str:
        """Return a block of the grid, likewise."""
        return _name(block, self.grid)


def _name(number: int, extent: Dim3) -> str:
    x, y, z = extent
    if y == z == 1:
        return str(number)
    place = (number % x, number // x % y, number // (x * y))[: 2 if z == 1 else 3]
    return f"({', '.join(map(str, place))})"


def trace(file: str, without: int = 0, launch: str = "") -> Traced:
    """Run book/kernels/<file> on the emulator with a trace.

    Args:
        without: the barrier to remove first; 0 for none.
        launch: which of its launches, such as "stride=2"; the first by default.

    Raises:
        ValueError: the file is not as it should be, it has no such launch, or its launch stopped early.
    """
    return _trace(file, (kernels.FOLDER / file).read_text(), without, launch)


@lru_cache(maxsize=16)
def _trace(file: str, text: str, without: int, chosen: str) -> Traced:
    """Cached by the file's contents: a chapter draws several figures of one kernel."""
    kernel = kernels.read(file)
    if chosen and chosen not in kernel.launches:
        there = ", ".join(name for name in kernel.launches if name) or "only one, which has no name"
        raise ValueError(f"{file} has no launch '{chosen}': its second line has {there}.")
    how = kernel.launches[chosen] if chosen else kernel.launch
    source = kernel.without(without)
    return from_run(kernel, source, how, cached_runs.emulate(source, kernel.name, **how, trace=True))


def from_run(kernel: kernels.BookKernel, source: str, how: dict[str, Any], run: Run) -> Traced:
    """Return what a figure needs from a traced run of `source`, launched as `how` says.

    Raises:
        ValueError: the launch stopped early.
    """
    file = kernel.file
    if not run.completed or run.trace is None:
        raise ValueError(f"{file}: the launch stopped early, so there is nothing whole to draw: fix the kernel.")
    launch = Kernel(source, kernel.name).prepare(**how)
    module = emulator.compile_for(launch)  # usually in the cache, since the run has used it
    assert isinstance(module, Module)
    arrays = []
    for parameter, value in zip(launch.signature.parameters, launch.args, strict=True):
        if isinstance(value, np.ndarray):
            item = parameter.dtype.itemsize if parameter.dtype is not None else value.itemsize
            shape = value.shape if item == value.itemsize else (value.nbytes // item,)
            arrays.append(Array(parameter.name, item, shape, "global", parameter.dtype is None))
    for shared in module.info.arrays:
        shape = (launch.shared_mem // shared.item,) if shared.dynamic else shared.shape
        arrays.append(Array(shared.name, shared.item, shape, shared.space))
    assert tuple(array.name for array in arrays) == run.trace.arrays
    accesses = _accesses(landings_as_writes(run.trace.events), np.array([array.item for array in arrays]))
    return Traced(file, source, launch.grid, launch.block, launch.arrays, run, tuple(arrays), accesses)


def _accesses(events: np.ndarray, items: np.ndarray) -> np.ndarray:
    order = np.lexsort((events["step"], events["thread"], events["block"]))
    by_thread = events[order]
    left = np.cumsum(by_thread["action"] == _LEAVE)
    starts = record_starts(by_thread, "block", "thread")
    interval = np.zeros(len(events), dtype=np.int64)
    interval[order] = left - np.repeat(left[starts], np.diff(np.append(starts, len(events))))
    work = events["action"] <= ATOMIC
    out = np.zeros(int(work.sum()), ACCESS)
    for field in ("step", "block", "thread", "array", "action", "index", "line", "owner"):
        out[field] = events[field][work]
    out["interval"] = interval[work]
    out["warp"], out["lane"] = out["thread"] // WARP, out["thread"] % WARP
    out["address"] = out["index"] * items[out["array"]]
    same = ("block", "thread", "interval", "array", "action", "line")
    order = np.lexsort((out["step"], *(out[field] for field in reversed(same))))
    starts = record_starts(out[order], *same)
    lengths = np.diff(np.append(starts, len(out)))
    out["turn"][order] = np.arange(len(out)) - np.repeat(starts, lengths)
    return out


def record_starts(table: np.ndarray, *fields: str) -> np.ndarray:
    """Return where each run of rows that agree in these fields begins."""
    changed = np.ones(len(table), dtype=bool)
    if len(table):
        changed[1:] = np.any([table[field][1:] != table[field][:-1] for field in fields], axis=0)
    return np.flatnonzero(changed)
