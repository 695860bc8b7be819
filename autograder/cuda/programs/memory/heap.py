"""The emulated GPU's memory: which parts are allocated, by which line, and what they hold."""

from __future__ import annotations

import mmap
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...backends.emulator_process import File
from ...compiler.variables import MAX_DEVICE
from ...core.host_findings import NOWHERE, Place
from .initialized import Filled, Written

#: Where the runtime of kernels maps a launch's arrays (emulator/platform: WINDOW and its first gap). The program maps
#: the memory at the same address, so a pointer means the same to both.
ADDRESS = (3 << 43) + 64 * 1024
#: Address space for what a program allocates, with what it has freed: at most, and at least. (In between, it is twice
#: as much as may be allocated at once.)
SIZE, _LEAST_SIZE = 1 << 36, 1 << 30
#: After it in the file, room for variables on the GPU while a kernel that is not checked runs.
_VARIABLES = MAX_DEVICE + (1 << 20)
#: Most bytes that are allocated at once: for a stranger's program the same everywhere, for one's own what the machine
#: can bear, since a launch with findings takes 30 times the memory that it uses.
LEAST, _MOST, _TIMES = 1 << 28, 3 << 28, 32
#: Between two allocations, so that what lies beyond one is in none; less where many fill the memory.
_GAP, _LEAST_GAP = 1 << 20, 1 << 12
_PAGE = 4096
#: What new memory holds. (All zeros would hide that nobody has written there.)
_NEW = 0xCB

Sort = Literal["device", "pinned", "managed"]


@dataclass
class Allocation:
    """Memory that a call at `place` has allocated: `name` is what the program calls it, `dtype` what the latest kernel
    took it for, or its pointer points to. `written` says what of it holds values, and `filled` which call has written
    that, if it is a single one. `freed` is the line that has freed
    it. Nobody frees what `is_variable`. `is_heap` is the kernels' own heap: only the runtime of kernels knows what it
    holds. Memory `of_graph` keeps its address while the graph exists, is there once a launch has `begun` it, and is
    freed by that graph or outside of it (`freed_within`; None: not known yet). `device` is the GPU that has it."""

    address: int
    size: int
    sort: Sort
    place: Place
    function: str
    name: str
    dtype: np.dtype[np.generic] = np.dtype(np.uint8)  # noqa: RUF009
    written: Written = False
    filled: Filled | None = None
    freed: Place | None = None
    is_variable: bool = False
    is_heap: bool = False
    of_graph: bool = False
    begun: bool = False
    freed_within: bool | None = None
    device: int = 0

    @property
    def end(self) -> int:
        return self.address + self.size

    @property
    def is_live(self) -> bool:
        return self.begun and self.freed is None


class Heap:
    """Allocates from a file in memory that the program and we share."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.device = 0  # where memory is allocated from now on
        #: Of address space.
        self.size = max(_LEAST_SIZE, 2 * limit)
        self.file = File("gpu", self.size + _VARIABLES)
        self.fd = self.file.fd
        self._map = mmap.mmap(self.fd, self.size)
        self.bytes = np.frombuffer(self._map, np.uint8)
        self._known: list[Allocation] = []  # by address, freed ones too

    def allocate(self, size: int, sort: Sort, place: Place, function: str, name: str) -> Allocation | None:
        """New memory, on pages of its own; None where there is not enough left."""
        made = self.reserve(size, sort, place, function, name) if self._has_left(size) else None
        return made if made and self.begin(made) else None

    def place(self, address: int, size: int, sort: Sort, name: str) -> Allocation | None:
        """New memory at an address that `first_addresses` has given; None where there is not enough left."""
        made = Allocation(address, size, sort, NOWHERE, "", name)
        self._known.insert(bisect_right(self._known, address, key=lambda a: a.address), made)
        return made if self.begin(made) else None

    def reserve(self, size: int, sort: Sort, place: Place, function: str, name: str) -> Allocation | None:
        """Pages for memory that is not there yet; None where there is no room."""
        address = self._room(size)
        if address is None:
            return None
        made = Allocation(address, size, sort, place, function, name, device=self.device)
        self._known.insert(bisect_right(self._known, address, key=lambda a: a.address), made)
        return made

    def begin(self, allocation: Allocation) -> bool:
        """Memory that was reserved, or freed, is there from now on; False where there is not enough left."""
        if not self._has_left(allocation.size):
            return False
        allocation.begun, allocation.freed, allocation.written, allocation.filled = True, None, False, None
        self.view(allocation)[:] = _NEW
        return True

    def _has_left(self, size: int) -> bool:
        return sum(a.size for a in self.live()) + size <= self.limit

    def free(self, allocation: Allocation, place: Place) -> None:
        """From now on it is known as freed, until its place is needed again."""
        allocation.freed = place

    def live(self) -> list[Allocation]:
        """Return what is allocated, by address."""
        return [a for a in self._known if a.is_live]

    def keep_addresses(self, addresses: set[int]) -> None:
        """Of memory that graphs allocate, these are all; other addresses are kept no longer than memory is there."""
        for allocation in self._known:
            allocation.of_graph = allocation.of_graph and allocation.address in addresses

    def find(self, address: int) -> Allocation | None:
        """Return the allocation, perhaps freed, that holds `address` or ends there."""
        at = bisect_right(self._known, address, key=lambda a: a.address) - 1
        return self._known[at] if at >= 0 and address <= self._known[at].end else None

    def view(self, allocation: Allocation) -> np.ndarray:
        """Its bytes, to read and to write."""
        start = allocation.address - ADDRESS
        return self.bytes[start : start + allocation.size]

    def _room(self, size: int) -> int | None:
        """Return where `size` bytes fit: after all else; once the memory is full, where the first freed ones were."""
        end = max((a.end for a in self._known), default=ADDRESS)
        start = pages(end + _GAP)
        if start + size + _GAP <= ADDRESS + self.size:
            return start
        self._known = [a for a in self._known if a.is_live or a.of_graph]
        ends = [ADDRESS, *(a.end for a in self._known)]
        starts = [*(a.address for a in self._known), ADDRESS + self.size]
        for low, high in zip(ends, starts, strict=True):
            if pages(low + _LEAST_GAP) + size + _LEAST_GAP <= high:
                return pages(low + _LEAST_GAP)
        return None


def first_addresses(sizes: Iterable[int]) -> Iterator[int]:
    """Yield where the first allocations of these sizes are."""
    end = ADDRESS
    for size in sizes:
        start = pages(end + _GAP)
        yield start
        end = start + size


def bearable() -> int:
    """Most bytes of a program of one's own."""
    return min(max(LEAST, machine_memory() // _TIMES), _MOST)


def computable() -> int:
    """Most bytes of a program of one's own whose launches are not all checked."""
    return min(max(bearable(), machine_memory() // 4), SIZE // 2)


def machine_memory() -> int:
    """Return bytes of this machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def in_heap(address: int) -> bool:
    """Return whether an address is the emulated GPU's."""
    return ADDRESS <= address < ADDRESS + SIZE


def pages(size: int) -> int:
    """Return the size, or the address, rounded up to whole pages."""
    return -(-size // _PAGE) * _PAGE
