"""Maps the runtime's numbers to the kernel's text: variables, elements by index, code by line."""

from __future__ import annotations

import numpy as np

from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..core.enumerations import Action, Event
from ..core.findings import Access, Dim3
from ..core.launch import Launch
from ..core.records import Location
from ..core.run import TRACE_DTYPE, Trace


class SourceMap:
    """Maps the runtime's variables, offsets, and code addresses to the kernel's text and arguments."""

    def __init__(self, launch: Launch, info: ModuleInfo, arrays: list[ArrayInfo]) -> None:
        self.launch, self.info, self.arrays = launch, info, arrays
        self.lines = launch.source.split("\n")
        pairs = zip(launch.signature.parameters, launch.args, strict=True)
        self.arguments = {p.name: arg for p, arg in pairs if isinstance(arg, np.ndarray)}

    def text(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def coordinates(self, linear: int, extent: Dim3) -> Dim3:
        return linear % extent[0], linear // extent[0] % extent[1], linear // (extent[0] * extent[1])

    def linear(self, access: Access) -> tuple[int, int]:
        """Block and thread of `access` as linear numbers, as in a trace."""
        pairs = ((access.block, self.launch.grid), (access.thread, self.launch.block))
        block, thread = (x + extent[0] * (y + extent[1] * z) for (x, y, z), extent in pairs)
        return block, thread

    def access(
        self, at: Location, variable: int = -1, offset: int = 0, action: int | None = None, owner: int | None = None
    ) -> Access:
        return self._access(at.block, at.thread, self.info.line_of(at.site), variable, offset, action, owner)

    def traced(self, event: np.void) -> Access:
        """The access of `event`, from a trace, see run.TRACE_DTYPE."""
        return self._access(*(int(event[f]) for f in ("block", "thread", "line", "array", "offset", "action", "owner")))

    def _access(
        self, block: int, thread: int, line: int, variable: int, offset: int, action: int | None, owner: int | None
    ) -> Access:
        array = self.arrays[variable] if variable >= 0 else None
        return Access(
            block=self.coordinates(block, self.launch.grid),
            thread=self.coordinates(thread, self.launch.block),
            line=line,
            text=self.text(line),
            action=None if action is None else Action(action).name,  # type: ignore[arg-type]
            array=array.name if array else "",
            index=array.index(offset) if array else (),
            space=array.space if array else None,
            place=self._place(array, offset) if array else (),
            owner=None if owner in (None, block) else self.coordinates(owner, self.launch.grid),
        )

    def _place(self, array: ArrayInfo, offset: int) -> tuple[int, ...]:
        """The element's index in numpy's array; empty if that array has one dimension or other elements (a
        float4* over floats), or if no element is at this offset."""
        given = self.arguments.get(array.name) if array.space == "global" else None
        if given is None or given.ndim < 2 or given.itemsize != array.item or not 0 <= offset < given.nbytes:
            return ()
        return tuple(int(i) for i in np.unravel_index(offset // array.item, given.shape))

    def _owners(self, raw: np.ndarray) -> np.ndarray:
        """The block whose shared memory each event is about, by its rank in the cluster of the event's block."""
        size, grid = self.info.cluster or (1, 1, 1), self.launch.grid
        at = np.unravel_index(raw["block"], grid[::-1])[::-1]
        rank = np.unravel_index(np.where(raw["action"] < Event["line"], raw["owner"], 0), size[::-1])[::-1]
        owner = [a - a % n + r for a, n, r in zip(at, size, rank, strict=True)]
        return np.ravel_multi_index(owner[::-1], grid[::-1])

    def trace(self, raw: np.ndarray) -> Trace:
        out = np.zeros(len(raw), TRACE_DTYPE)
        for field in ("step", "block", "thread", "action", "array", "offset", "size", "value"):
            out[field] = raw[field]
        of_memory = raw["action"] < Event["line"]
        out["owner"] = np.where(of_memory, self._owners(raw) if self.info.cluster else raw["block"], raw["owner"])
        items = np.array([a.item for a in self.arrays] + [1], np.uint64)  # the last one is for array -1: none
        out["index"] = raw["offset"] // items[np.where(of_memory, raw["array"], -1)]
        starts, lines = np.array([(-1, 0), *self.info.lines]).T
        out["line"] = lines[np.searchsorted(starts, raw["site"].astype(np.int64) - 1, "right") - 1]
        dtypes = tuple(np.dtype(a.dtype) if a.dtype else None for a in self.arrays)
        names, spaces = tuple(a.name for a in self.arrays), tuple(a.space for a in self.arrays)
        shapes, sizes = tuple(a.shape for a in self.arrays), tuple(a.item for a in self.arrays)
        return Trace(out, names, dtypes, spaces, shapes, sizes, self.info.debug)
