"""How much of a GPU's memory its graphs hold: what they allocate, and what is kept of that for later launches."""

from __future__ import annotations

from dataclasses import dataclass, field

from .timeline import Operation, Timeline

#: Graphs hold memory in pieces of this many bytes (as on an H100).
_PIECE = 32 << 20


@dataclass
class Footprint:
    """`used` are the bytes by address. `kept` are the bytes that were freed, each with the operation that freed them:
    what comes behind it gets them first. (None: the host has waited for it.) `peak` is the most there were."""

    used: dict[int, int] = field(default_factory=dict)
    kept: list[tuple[int, Operation | None]] = field(default_factory=list)
    peak: int = 0

    @property
    def now(self) -> int:
        held = sum(self.used.values()) + sum(size for size, _ in self.kept)
        return -(-held // _PIECE) * _PIECE

    def take(self, address: int, size: int, by: Operation) -> None:
        self.used[address] = size
        kept, self.kept = self.kept, []
        for left, freed in kept:
            taken = min(size, left) if freed is None or freed.before(by.clock) else 0
            size -= taken
            if left > taken:
                self.kept.append((left - taken, freed))
        self.peak = max(self.peak, self.now)

    def give(self, address: int, by: Operation | None) -> None:
        """Nothing, where no graph has allocated this."""
        if size := self.used.pop(address, 0):
            self.kept.append((size, by))

    def trim(self, timeline: Timeline) -> None:
        """Give back what is kept, unless the work before that may still go on."""
        self.kept = [(size, by) for size, by in self.kept if by and not timeline.is_over(by.stream, by.index)]
