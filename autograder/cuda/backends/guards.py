"""Lays out arrays in one block of memory with guards around each, to detect a kernel that writes a little
outside its arrays, which the GPU itself doesn't report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .channel import Blob

#: Bytes before and after each array that no kernel may write: more than a row of the course's matrices.
GUARD_BYTES = 64 * 1024
#: Alignment of each array, equal to cudaMalloc's, so that float4 loads behave as usual.
ALIGNMENT = 256
#: Content of the guards: NaN as float and as double, and no number that a kernel would write.
GUARD_WORD = np.uint32(0x7FF8A5A5)


@dataclass(frozen=True)
class Layout:
    """Arrays of `sizes` bytes at `offsets` in a block of `total` bytes; the rest of it is guards."""

    sizes: tuple[int, ...]
    offsets: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Layout:
        offsets, end = [], GUARD_BYTES
        for size in sizes:
            offsets.append(end)
            end += -(-(size + GUARD_BYTES) // ALIGNMENT) * ALIGNMENT
        return cls(tuple(sizes), tuple(offsets), end)

    def fill(self, blobs: Sequence[Blob]) -> np.ndarray:
        """The block before a launch, shape (total,), uint8: guards, and `blobs` at their offsets."""
        block = np.empty(self.total, np.uint8)
        for start, stop in self._gaps():
            block[start:stop] = _pattern(start, stop)
        for array, blob in zip(self.arrays(block), blobs, strict=True):
            array[:] = np.frombuffer(blob, np.uint8)
        return block

    def arrays(self, block: np.ndarray) -> list[np.ndarray]:
        """Each array's bytes in `block`, as views of shape (size,), uint8."""
        return [block[o : o + s] for o, s in zip(self.offsets, self.sizes, strict=True)]

    def damage(self, block: np.ndarray) -> list[tuple[int, int]]:
        """Where a launch wrote outside the arrays: at most one (array, bytes) per guard, for the written
        byte nearest to an array. `bytes` counts past the array's end or, if negative, before its start."""
        found = []
        for i, (start, stop) in enumerate(self._gaps()):
            written = np.flatnonzero(block[start:stop] != _pattern(start, stop))
            if not written.size:
                continue
            past, before = int(written[0]) + 1, stop - start - int(written[-1])
            # Guard i is after array i - 1 and before array i.
            if i == 0 or (i < len(self.sizes) and before < past):
                found.append((i, -before))
            else:
                found.append((i - 1, past))
        return found

    def _gaps(self) -> list[tuple[int, int]]:
        starts = [0, *(o + s for o, s in zip(self.offsets, self.sizes, strict=True))]
        return list(zip(starts, [*self.offsets, self.total], strict=True))


def _pattern(start: int, stop: int) -> np.ndarray:
    """The guard bytes that belong at `start` to `stop` of a block."""
    words = np.full((stop - start) // 4 + 2, GUARD_WORD)
    return words.view(np.uint8)[start % 4 :][: stop - start]
