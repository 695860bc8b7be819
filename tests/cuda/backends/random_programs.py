"""Random programs of a small language, and what is wrong with each, found by brute force.

A program is a list of operations for every thread: loads, stores and atomics of 1 to 8 bytes on four
shared and four global arrays, block and warp barriers, fences, and flags that one thread sets and
another waits for. `KERNEL` interprets it, so that any number of programs needs one compilation.

The oracle knows nothing of clocks or shadow memory. Each event has the set of all events that come
before it: those its thread knew, and those that barriers and flags have passed on to it. Two events race if
neither is in the other's set, their threads differ, their bytes overlap, one of them writes, and they are
not atomic with regard to each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

BLOCKS, THREADS = 2, 40  # the second warp has 8 lanes
ARRAY_BYTES = 8
SHARED, GLOBAL = ("s0", "s1", "s2", "s3"), ("g0", "g1", "g2", "g3")
ARRAYS = SHARED + GLOBAL

KERNEL = """\
__global__ void interpret(const int* program, int n, unsigned* flags,
                          unsigned char* g0, unsigned char* g1, unsigned char* g2, unsigned char* g3)
{
    __shared__ __align__(8) unsigned char s0[8];
    __shared__ __align__(8) unsigned char s1[8];
    __shared__ __align__(8) unsigned char s2[8];
    __shared__ __align__(8) unsigned char s3[8];
    unsigned char* arrays[] = {s0, s1, s2, s3, g0, g1, g2, g3};
    const int* at = program + 3 * n * (blockIdx.x * blockDim.x + threadIdx.x);
    long long sum = 0;
    for (int i = 0; i < n; i++, at += 3) {
        int what = at[0], which = at[1], offset = at[2];
        unsigned char* p = what < 20 ? arrays[which] + offset : 0;
        switch (what) {
        case 1: sum += *(unsigned char*)p; break;
        case 2: sum += *(unsigned short*)p; break;
        case 4: sum += *(unsigned*)p; break;
        case 8: sum += *(unsigned long long*)p; break;
        case 11: *(unsigned char*)p = i; break;
        case 12: *(unsigned short*)p = i; break;
        case 14: *(unsigned*)p = i; break;
        case 18: *(unsigned long long*)p = i; break;
        case 9: atomicAdd((unsigned*)p, 1u); break;
        case 19: atomicAdd_block((unsigned*)p, 1u); break;
        case 20: __syncthreads(); break;
        case 21: __syncwarp(which); break;
        case 22: __threadfence(); break;
        case 23: __threadfence_block(); break;
        case 24: atomicExch(flags + which, 1u); break;
        case 25: atomicExch_block(flags + which, 1u); break;
        case 26:
            while (atomicAdd(flags + which, 0u) == 0) {}
            __threadfence();
            break;
        case 27:
            while (atomicAdd_block(flags + which, 0u) == 0) {}
            __threadfence();
            break;
        }
    }
}
"""
NOP, LOAD, STORE, ATOMIC, ATOMIC_BLOCK = 0, 0, 10, 9, 19  # a load or store has its width added
SYNC, SYNC_WARP, FENCE, FENCE_BLOCK, SET, SET_BLOCK, WAIT, WAIT_BLOCK = range(20, 28)
FLAGS = 16


def _line_of(operation: int) -> int:
    lines = KERNEL.split("\n")
    case = next(i for i, line in enumerate(lines, 1) if line.strip().startswith(f"case {operation}:"))
    return case if operation < WAIT else case + 1


LINES = {o: _line_of(o) for o in (1, 2, 4, 8, 11, 12, 14, 18, 9, 19, *range(20, 28))}


@dataclass(frozen=True)
class Event:
    """One access. `before` is the set of earlier events, one bit each by number."""

    number: int
    block: int
    thread: int
    operation: int
    array: str
    offset: int
    width: int
    interval: int
    before: int

    @property
    def writes(self) -> bool:
        return self.operation > 8

    @property
    def place(self) -> tuple[str, int]:
        """The array; shared memory has one for each block."""
        return self.array, self.block if self.array in SHARED else -1

    @property
    def atomic_in(self) -> str:
        """The scope within which this access is atomic: "device", "block", or "" for none."""
        return {ATOMIC: "device", SET: "device", WAIT: "device"}.get(self.operation) or (
            "block" if self.operation in (ATOMIC_BLOCK, SET_BLOCK, WAIT_BLOCK) else ""
        )


@dataclass
class Program:
    """A program, built in an order in which it could run, so it never waits forever. The calls mirror the kernel's."""

    operations: dict[tuple[int, int], list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    events: list[Event] = field(default_factory=list)
    _known: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    _fenced: dict[tuple[int, int, str], int] = field(default_factory=lambda: defaultdict(int))
    _released: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    _interval: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def access(self, block: int, thread: int, operation: int, array: str, offset: int) -> None:
        self.operations[block, thread].append((operation, ARRAYS.index(array), offset))
        self._event(block, thread, operation, array, offset, operation % 10 if operation % 10 != 9 else 4)

    def barrier(self, block: int) -> None:
        together = self._join(block, range(THREADS))
        self._interval[block] += 1
        for thread in range(THREADS):
            self.operations[block, thread].append((SYNC, 0, 0))
            self._known[block, thread] = together

    def warp_barrier(self, block: int, warp: int, lanes: Iterable[int]) -> None:
        threads = [32 * warp + lane for lane in lanes]
        mask = sum(1 << thread % 32 for thread in threads)
        together = self._join(block, threads)
        for thread in threads:
            self.operations[block, thread].append((SYNC_WARP, int(np.uint32(mask).view(np.int32)), 0))
            self._known[block, thread] = together

    def fence(self, block: int, thread: int, scope: str) -> None:
        self.operations[block, thread].append((FENCE if scope == "device" else FENCE_BLOCK, 0, 0))
        self._fence(block, thread, scope)

    def set_flag(self, block: int, thread: int, flag: int, scope: str) -> None:
        operation = SET if scope == "device" else SET_BLOCK
        self.operations[block, thread].append((operation, flag, 0))
        anywhere = self._fenced[block, thread, "device"] if scope == "device" else 0
        self._released[flag] = (anywhere, self._fenced[block, thread, "block"], block)
        self._event(block, thread, operation, "flags", 4 * flag, 4)

    def wait_for_flag(self, block: int, thread: int, flag: int, scope: str) -> None:
        operation = WAIT if scope == "device" else WAIT_BLOCK
        self.operations[block, thread].append((operation, flag, 0))
        self._event(block, thread, operation, "flags", 4 * flag, 4)
        anywhere, in_block, of = self._released[flag]
        if scope == "device":
            self._known[block, thread] |= anywhere
        if of == block:
            self._known[block, thread] |= in_block
        self._fence(block, thread, "device")

    def table(self) -> np.ndarray:
        """The program as the kernel reads it: int32[threads of all blocks, operations, 3]."""
        length = max((len(o) for o in self.operations.values()), default=0) + 1
        out = np.zeros((BLOCKS * THREADS, length, 3), np.int32)
        for (block, thread), operations in self.operations.items():
            out[block * THREADS + thread, : len(operations)] = operations
        return out

    def _event(self, block: int, thread: int, operation: int, array: str, offset: int, width: int) -> None:
        number = len(self.events)
        before = self._known[block, thread]
        self.events.append(Event(number, block, thread, operation, array, offset, width, self._interval[block], before))
        self._known[block, thread] = before | 1 << number

    def _join(self, block: int, threads: Iterable[int]) -> int:
        together = 0
        for thread in threads:
            together |= self._known[block, thread]
        return together

    def _fence(self, block: int, thread: int, scope: str) -> None:
        for covered in ("block", "device") if scope == "device" else ("block",):
            self._fenced[block, thread, covered] = self._known[block, thread]


def race_pairs(events: list[Event]) -> set[tuple[str, frozenset[int]]]:
    """Every (array, lines) with two accesses that race."""
    places = defaultdict(list)
    for event in events:
        places[event.place].append(event)
    return {
        (a.array, frozenset((LINES[a.operation], LINES[b.operation])))
        for together in places.values()
        for i, a in enumerate(together)
        for b in together[i + 1 :]
        if race(a, b)
    }


def race(a: Event, b: Event) -> bool:
    if (a.block, a.thread) == (b.block, b.thread) or not (a.writes or b.writes):
        return False
    if a.offset + a.width <= b.offset or b.offset + b.width <= a.offset:
        return False
    if b.before >> a.number & 1 or a.before >> b.number & 1:
        return False
    if a.atomic_in and b.atomic_in:
        return a.block != b.block and "block" in (a.atomic_in, b.atomic_in)
    return True


def uninitialized(events: list[Event]) -> tuple[set[str], set[str]]:
    """(surely, perhaps): the shared arrays in which a word is read that nobody has written before. It is in
    doubt if a write races with the read: then the race is the mistake, and only it must be reported."""
    surely, perhaps = set(), set()
    for read in events:
        if read.array not in SHARED or (read.writes and not read.atomic_in):
            continue
        others = [e for e in events if e.writes and e.place == read.place and e.offset == read.offset and e != read]
        if any(read.before >> e.number & 1 for e in others):
            continue
        perhaps.add(read.array)
        same = [e for e in events if e.place == read.place and e.offset == read.offset]
        if not any(race(a, b) or (a.atomic_in and b.atomic_in) for a in same for b in same if a.number < b.number):
            surely.add(read.array)
    return surely, perhaps
