"""Random programs, each with a verdict known by construction, and random address patterns with counts
from a plain model of the hardware. The seeds are fixed: a failure names one, and is repeatable."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TypeVar

import inputs
import numpy as np
import pytest
import random_programs as rp
from random_programs import BLOCKS, GLOBAL, LINES, SHARED, THREADS, Program

from autograder.cuda.core.findings import Finding, Kind, MisalignedAccess
from autograder.cuda.core.run import Counts, Run
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

INTERPRETER = Kernel(rp.KERNEL, "interpret")
#: The same without fences, which lets the emulator forget more.
UNFENCED = Kernel(re.sub(r"__threadfence\w*\(\);", "", rp.KERNEL), "interpret")
#: Threads that do more than wait at barriers: a few of both warps, so that they meet often.
ACTIVE = (0, 1, 2, 9, 31, 32, 33, 39)
WIDTHS = (1, 2, 4, 8)

each_seed = pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 300), marks=pytest.mark.rare)], ids=str)

T = TypeVar("T")


def emulate(table: np.ndarray, kernel: Kernel = INTERPRETER) -> Run:
    arrays = [np.zeros(rp.ARRAY_BYTES, np.uint8) for _ in GLOBAL]
    return kernel.emulate(BLOCKS, THREADS, [table, table.shape[1], np.zeros(rp.FLAGS, np.uint32), *arrays])


# ---- the grammar --------------------------------------------------------------------------------------------


class Author:
    """Writes one program. What it writes on purpose has no race; `slips` then adds accesses anywhere."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.program = Program()

    def chance(self, p: float) -> bool:
        return bool(self.random.random() < p)

    def item(self, things: Sequence[T]) -> T:
        return things[int(self.random.integers(len(things)))]

    def clear(self) -> None:
        for block in range(BLOCKS):
            for i, array in enumerate(SHARED):
                self.program.access(block, ACTIVE[i], rp.STORE + 8, array, 0)
            self.program.barrier(block)

    def interval(self, block: int, widths: tuple[int, ...], global_owner: dict[str, int]) -> None:
        """Write one barrier interval of a block: each array belongs to one thread, is read by all, updated only by
        atomics, or passed around in a warp. A global array belongs to one block."""
        arrays = SHARED + tuple(a for a in GLOBAL if global_owner[a] == block)
        for array in self.random.permutation(arrays)[: self.random.integers(1, len(arrays) + 1)]:
            match self.random.integers(4):
                case 0:
                    mine = self.item(ACTIVE)
                    for _ in range(self.random.integers(1, 4)):
                        self.plain(block, mine, array, widths, self.chance(0.6))
                case 1:
                    for _ in range(self.random.integers(1, 7)):
                        self.plain(block, self.item(ACTIVE), array, widths, False)
                case 2:
                    for _ in range(self.random.integers(1, 5)):
                        operation = self.item((rp.ATOMIC, rp.ATOMIC_BLOCK))
                        self.program.access(block, self.item(ACTIVE), operation, array, 0)
                case 3:
                    self.hand_round(block, array, widths)

    def plain(self, block: int, thread: int, array: str, widths: tuple[int, ...], store: bool) -> None:
        width = self.item(widths)
        offset = int(self.random.integers(rp.ARRAY_BYTES // width)) * width
        self.program.access(block, thread, (rp.STORE if store else rp.LOAD) + width, str(array), offset)

    def hand_round(self, block: int, array: str, widths: tuple[int, ...]) -> None:
        warp = int(self.random.integers(2))
        lanes = [t % 32 for t in ACTIVE if t // 32 == warp]
        lanes = lanes if self.chance(0.7) else list(range(32 if warp == 0 else THREADS - 32))
        for _ in range(self.random.integers(1, 4)):
            readers = self.chance(0.5)
            for lane in self.random.choice(lanes, self.random.integers(1, 4) if readers else 1):
                self.plain(block, 32 * warp + int(lane), array, widths, not readers)
            self.program.warp_barrier(block, warp, lanes)

    def slips(self, widths: tuple[int, ...], arrays: tuple[str, ...] = SHARED + GLOBAL) -> None:
        for _ in range(self.random.integers(3)):
            block, thread = int(self.random.integers(BLOCKS)), self.item(ACTIVE)
            if self.chance(0.2):
                operation = self.item((rp.ATOMIC, rp.ATOMIC_BLOCK))
                self.program.access(block, thread, operation, self.item(arrays), 4 * int(self.random.integers(2)))
            else:
                self.plain(block, thread, self.item(arrays), widths, self.chance(0.5))

    def barriers(self, widths: tuple[int, ...], cleared: bool = True) -> Program:
        """Intervals between barriers, one of which may be missing."""
        owner = {a: int(self.random.integers(BLOCKS)) for a in GLOBAL}
        if cleared:
            self.clear()
        for block in range(BLOCKS):
            for _ in range(self.random.integers(1, 4)):
                self.interval(block, widths, owner)
                if self.chance(0.3):
                    self.slips(widths)
                if self.chance(0.9):
                    self.program.barrier(block)
        return self.program

    def some_lanes(self) -> Program:
        """Many lanes of a warp read an array or update it by atomics, some of them pass a barrier, and one writes."""
        self.clear()
        for _ in range(self.random.integers(1, 4)):
            array = self.item(SHARED + GLOBAL)
            meet = self.random.permutation(32)[: self.random.integers(16, 33)]
            users = meet if self.chance(0.6) else self.random.permutation(32)
            operation = self.item((rp.LOAD + 4, rp.ATOMIC))
            for lane in users[: self.random.integers(1, 33)]:
                self.program.access(0, int(lane), operation, array, 0)
            for _ in range(self.random.integers(1, 3)):
                self.program.warp_barrier(0, 0, meet.tolist())
            self.program.access(0, int(meet[0]), rp.STORE + 4, array, 0)
            self.program.barrier(0)
        return self.program

    def messages(self) -> Program:
        """Threads pass arrays to each other by flags; now and then fences and scopes are too weak, and now
        and then a thread writes after its release. A thread waits at most once, and before its first
        fence, so that the atomics with which it waits release nothing."""
        self.clear()
        has_fenced: set[tuple[int, int]] = set()
        holder = {a: (0, int(self.item(ACTIVE))) for a in GLOBAL}
        flag = 0
        for _ in range(self.random.integers(2, 7)):
            array = self.item(GLOBAL)
            block, thread = holder[array]
            self.plain(block, thread, array, (4, 8), self.chance(0.8))
            to = int(self.random.integers(block, BLOCKS)), int(self.item(ACTIVE))
            if to == (block, thread) or to in has_fenced:
                continue
            weak = self.chance(0.3)
            if not (weak and self.chance(0.4)):
                self.program.fence(block, thread, "block" if weak else "device")
            if self.chance(0.15):
                self.plain(block, thread, array, (4, 8), True)
            self.program.set_flag(block, thread, flag, "block" if self.chance(0.2) else "device")
            self.program.wait_for_flag(*to, flag, "block" if self.chance(0.2) else "device")
            has_fenced |= {(block, thread), to}
            flag += 1
            if self.chance(0.3):
                self.program.barrier(to[0])
                to = to[0], int(self.item(ACTIVE))
            holder[array] = to
            self.plain(*to, array, (4, 8), self.chance(0.4))
        return self.program


# ---- verdicts ----------------------------------------------------------------------------------------------


def reported(findings: tuple[Finding, ...]) -> set[tuple[str, frozenset[int]]]:
    return {(f.accesses[0].array, frozenset(a.line for a in f.accesses)) for f in findings if f.kind is Kind.RACE}


def disagreement(program: Program, run: Run) -> str:
    """How the emulator's verdict differs from the oracle's; empty if it does not. It must name every array with a
    race, and no pair of lines that does not race."""
    wanted, got = rp.race_pairs(program.events), reported(run.findings)
    if got - wanted:
        return f"no race: {got - wanted}"
    missed = {array for array, _ in wanted} - {array for array, _ in got}
    return f"missed: {[pair for pair in wanted if pair[0] in missed]}" if missed else ""


#: Seeds with a race that is not found yet. A seed whose race is found fails its test until it leaves this list.
#: An atomic replaces other threads' atomics, as if it came after them; then its own thread's next access finds
#: nothing to race with.
MISSED_WORDS = ()
MISSED_BYTES = ()


def judged(programs: Iterator[tuple[int, Program]], missed: Collection[int] = (), kernel: Kernel = INTERPRETER) -> None:
    """Run them all. Programs with races and without must both be common, or little is shown."""
    racy = clean = total = 0
    for seed, program in programs:
        run = emulate(program.table(), kernel)
        assert run.completed, (seed, run.findings)
        assert {f.kind for f in run.findings} <= {Kind.RACE}, seed
        assert bool(disagreement(program, run)) == (seed in missed), (seed, disagreement(program, run))
        racy, clean = racy + bool(run.findings), clean + (not run.findings)
        total += 1
    assert min(racy, clean) > total / 6


@each_seed
@pytest.mark.parametrize("kernel", [INTERPRETER, UNFENCED], ids=["fences", "no fences"])
def test_races_between_barriers(kernel: Kernel, seeds: range) -> None:
    judged(((seed, Author(seed).barriers((4, 8))) for seed in seeds), MISSED_WORDS, kernel)


@each_seed
@pytest.mark.parametrize("kernel", [INTERPRETER, UNFENCED], ids=["fences", "no fences"])
def test_races_of_bytes_and_shorts(kernel: Kernel, seeds: range) -> None:
    judged(((seed, Author(seed).barriers(WIDTHS)) for seed in seeds), MISSED_BYTES, kernel)


@each_seed
@pytest.mark.parametrize("kernel", [INTERPRETER, UNFENCED], ids=["fences", "no fences"])
def test_races_after_a_barrier_of_some_lanes(kernel: Kernel, seeds: range) -> None:
    judged(((seed, Author(seed).some_lanes()) for seed in seeds), kernel=kernel)


@each_seed
def test_races_of_what_is_handed_over_by_flags(seeds: range) -> None:
    judged((seed, Author(seed).messages()) for seed in seeds)


def test_uninitialized_reads() -> None:
    seen = 0
    for seed in range(120):
        program = Author(seed).barriers((4,), cleared=False)
        run = emulate(program.table())
        found = {f.accesses[0].array for f in run.findings if f.kind is Kind.UNINITIALIZED_READ}
        surely, perhaps = rp.uninitialized(program.events)
        assert surely <= found <= perhaps, (seed, surely, found, perhaps)
        assert not disagreement(program, run), (seed, disagreement(program, run))
        seen += len(surely)
    assert seen > 40


def test_thread_level_counts() -> None:
    for seed in range(100):
        program = Author(seed).barriers(WIDTHS)
        table = program.table()
        counts = emulate(table).counts
        assert counts is not None
        shared = [e for e in program.events if e.array in SHARED and not e.atomic_in]
        rest = [e for e in program.events if e.array in GLOBAL and not e.atomic_in]
        atomics = [e for e in program.events if e.atomic_in]
        assert (counts.shared_loads, counts.shared_stores) == (
            sum(not e.writes for e in shared),
            sum(e.writes for e in shared),
        )
        # Each thread reads three numbers for each of its operations.
        assert (counts.global_loads - table.size, counts.global_stores) == (
            sum(not e.writes for e in rest),
            sum(e.writes for e in rest),
        )
        assert counts.atomics == len(atomics)
        assert counts.global_atomics == sum(e.array in GLOBAL for e in atomics)
        assert counts.barriers == sum(op[0] == rp.SYNC for ops in program.operations.values() for op in ops)


# ---- one mistake of another kind, put into a program -------------------------------------------------------------


def stopped(seed: int, table: np.ndarray) -> Finding:
    run = emulate(table)
    assert not run.completed, seed
    return run.findings[-1]


def random_access(program: Program, seed: int, width: int = 8) -> rp.Event:
    """One of at most `width` bytes and more than one."""
    plain = [e for e in program.events if not e.atomic_in and 1 < e.width <= width]
    return plain[np.random.default_rng(seed).integers(len(plain))]


def edited(program: Program, event: rp.Event, offset: int) -> np.ndarray:
    """The program's table with another offset in the operation of `event`."""
    table = program.table()
    mine = [e for e in program.events if (e.block, e.thread) == (event.block, event.thread)]
    rows = table[event.block * THREADS + event.thread]
    at = [i for i, row in enumerate(rows) if row[0] in LINES and row[0] < rp.SYNC][mine.index(event)]
    rows[at][2] = offset
    return table


@pytest.mark.parametrize("offset", [8, -8, 400, -400])
def test_an_access_out_of_bounds(offset: int) -> None:
    for seed in range(30):
        program = Author(seed).barriers(WIDTHS)
        event = random_access(program, seed)
        finding = stopped(seed, edited(program, event, offset))
        access = finding.accesses[0]
        assert (finding.kind, access.line) == (Kind.OUT_OF_BOUNDS, LINES[event.operation]), seed
        assert (access.block[0], access.thread[0]) == (event.block, event.thread), seed
        if abs(offset) == 8:
            assert (access.array, access.index) == (event.array, (offset,)), seed


def test_a_misaligned_access() -> None:
    for seed in range(30):
        program = Author(seed).barriers(WIDTHS)
        event = random_access(program, seed, width=4)
        finding = stopped(seed, edited(program, event, event.width // 2))
        access = finding.accesses[0]
        assert isinstance(finding, MisalignedAccess) and finding.width == event.width, seed
        assert (access.line, access.array) == (LINES[event.operation], event.array), seed


def test_a_barrier_that_one_thread_leaves_out() -> None:
    for seed in range(30):
        program = Author(seed).barriers(WIDTHS)
        table = program.table()
        thread = int(np.random.default_rng(seed).integers(BLOCKS * THREADS))
        rows = table[thread]
        rows[np.flatnonzero(rows[:, 0] == rp.SYNC)[-1], 0] = rp.NOP
        finding = stopped(seed, table)
        assert (finding.kind, finding.accesses[0].block[0]) == (Kind.BARRIER_DIVERGENCE, thread // THREADS), seed


def test_a_lane_that_is_not_in_its_own_mask() -> None:
    seen = 0
    for seed in range(60):
        program = Author(seed).barriers(WIDTHS)
        table = program.table()
        places = np.argwhere(table[:, :, 0] == rp.SYNC_WARP)
        if len(places):
            thread, at = places[np.random.default_rng(seed).integers(len(places))]
            table[thread, at, 1] &= ~np.int32(1 << thread % THREADS % 32 if thread % THREADS % 32 < 31 else -(1 << 31))
            finding = stopped(seed, table)
            assert finding.kind is Kind.INVALID_WARP_MASK, seed
            assert finding.accesses[0].thread[0] == thread % THREADS, seed
            seen += 1
    assert seen > 20


# ---- the oracle can fail ---------------------------------------------------------------------------------------


def test_a_wrong_oracle_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these assumptions is wrong, and some program shows it."""
    right = rp.race
    wrong: dict[str, Callable[[rp.Event, rp.Event], bool]] = {
        "atomics race": lambda a, b: right(a, b) or (a.place == b.place and all((a.atomic_in, b.atomic_in))),
        "block scope is enough": lambda a, b: right(a, b) and not (a.atomic_in and b.atomic_in),
        "a warp is in step": lambda a, b: right(a, b) and (a.block, a.thread // 32) != (b.block, b.thread // 32),
        "blocks are ordered": lambda a, b: right(a, b) and a.block == b.block,
        "bytes of a word are one": lambda a, b: right(whole_words(a), whole_words(b)),
    }
    for belief, rule in wrong.items():
        monkeypatch.setattr(rp, "race", rule)
        programs = [Author(seed).barriers(WIDTHS) for seed in range(100)]
        assert any(disagreement(p, emulate(p.table())) for p in programs), belief


def whole_words(e: rp.Event) -> rp.Event:
    return replace(e, offset=e.offset // 4 * 4, width=max(e.width, 4))


# ---- warp-level counts against a plain model -----------------------------------------------------------------------

PATTERNS = """\
template <class T> __device__ void touch(T* memory, int store, int index)
{
    T value = {};
    if (store) memory[index] = value;
    else value = memory[index];
}
__device__ void touch_any(char* memory, int width, int store, int index)
{
    if (width == 1) touch((char*)memory, store, index);
    if (width == 2) touch((short*)memory, store, index);
    if (width == 4) touch((int*)memory, store, index);
    if (width == 8) touch((double*)memory, store, index);
    if (width == 16) touch((float4*)memory, store, index);
}
__global__ void patterns(const int* index, int width, int store, int shared, int steps, char* memory)
{
    extern __shared__ __align__(16) char tile[];
    for (int s = 0; s < steps; s++) {
        int i = index[s * blockDim.x + threadIdx.x];
        if (i >= 0) touch_any(shared ? tile : memory, width, store, i);
        __syncthreads();  // lanes that skip a step still are in step with the others
    }
}
"""
BYTES = 8192


def sectors(addresses: list[int]) -> int:
    """A sector is 32 bytes, and a request fetches each that it touches once."""
    return len({address // 32 for address in addresses})


def atomic_sectors(addresses: list[int]) -> int:
    """A sector is counted as often as lanes update its most contended element."""
    return sum(
        max(addresses.count(a) for a in addresses if a // 32 == sector) for sector in {a // 32 for a in addresses}
    )


def passes(lanes: list[tuple[int, int]], width: int, load: bool) -> list[int]:
    """Shared memory has 32 banks of 4 bytes, and gives one word of each in a pass. A warp that asks for 8 bytes
    a lane is served in two halves, for 16 bytes in four quarters, each in at least one pass if anybody is in it.
    A load takes two of these together if all lanes i and i ^ 1 of the warp ask for the same, or all i and i ^ 2."""
    size = 32 * 4 // max(width, 4)
    address = dict(lanes)
    agree = [all(address.get(lane ^ d, a) == a for lane, a in lanes) for d in (1, 2)]
    if load and width > 4 and any(agree):
        size *= 2
    deepest = []
    for first in range(0, 32, size):
        words = {a // 4 + k for lane, a in lanes if first <= lane < first + size for k in range(max(1, width // 4))}
        if words:
            deepest.append(max(sum(word % 32 == bank for word in words) for bank in range(32)))
    return deepest


def at_best(width: int, shared: bool) -> int:
    """What a warp's request costs whose lanes access neighbors, which may begin anywhere."""
    return max(1, width // 4) if shared else width + 1


def together(used: np.ndarray, each: int) -> int:
    """What requests cost of which the first is of all lanes that were `used` once, the next of those used twice, ..."""
    return sum(min(each, int((used >= turn).sum())) for turn in range(1, int(used.max()) + 1))


def atomic_passes(addresses: list[int]) -> int:
    """Lanes at one bank are served one after the other, even those at one word."""
    return max(sum(a // 4 % 32 == bank for a in addresses) for bank in range(32))


right_passes = passes


def pattern(random: np.random.Generator, width: int, block: int) -> np.ndarray:
    """An index for each thread: strided, in a small range, anywhere, or none."""
    last = BYTES // width
    lanes = np.arange(block)
    match random.integers(4):
        case 0:
            index = random.integers(32) + lanes * random.integers(9)
        case 1:
            index = random.integers(0, 40, block)
        case 2:
            index = random.integers(0, last, block)
        case _:
            index = lanes // random.integers(1, 33) + 32 * (lanes % random.integers(1, 33))
    if random.random() < 0.3:
        index = index[lanes & ~int(random.choice([1, 2, 3, 4]))]  # pairs, or more, that agree
    index %= last
    if random.random() < 0.5:
        index[random.random(block) < random.random()] = -1
    return index.astype(np.int32)


def counted_and_modeled(width: int, seed: int) -> tuple[dict[str, int], dict[str, int]]:
    random = np.random.default_rng(1000 * width + seed)
    block, steps, store, shared = int(random.choice([32, 45, 96])), 12, seed % 2, seed // 2 % 2
    index = np.array([pattern(random, width, block) for _ in range(steps)])
    # Stores of one step may race, which does not change the counts and does not matter here.
    memory = np.zeros(BYTES, np.int8)
    run = Kernel(PATTERNS, "patterns").emulate(1, block, [index, width, store, shared, steps, memory], BYTES)
    assert run.counts is not None and run.completed
    return asdict(run.counts), modeled(index, width, bool(store), bool(shared))


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_requests_sectors_and_conflicts(width: int) -> None:
    for seed in range(24):
        counted, wanted = counted_and_modeled(width, seed)
        assert counted == wanted, seed


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        pytest.param("sectors", lambda addresses: len({a // 64 for a in addresses}), id="sectors-of-64-bytes"),
        pytest.param("passes", lambda lanes, width, load: [1], id="one-pass"),
        pytest.param("passes", lambda lanes, width, load: right_passes(lanes, 4, load), id="no-halves-and-quarters"),
        pytest.param("passes", lambda lanes, width, load: right_passes(lanes, width, False), id="no-pairs"),
        pytest.param("passes", lambda lanes, width, load: right_passes(lanes, width, True), id="pairs-of-stores"),
    ],
)
def test_a_wrong_model_is_contradicted(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), name, wrong)
    assert any(counted != wanted for counted, wanted in (counted_and_modeled(8, seed) for seed in range(24)))


def modeled(index: np.ndarray, width: int, store: bool, shared: bool) -> dict[str, int]:
    """The costs of the kernel `patterns`."""
    want = dict.fromkeys(Counts.__dataclass_fields__, 0)
    action = "store" if store else "load"
    for s, row in enumerate(index):
        for first in range(0, len(row), 32):
            lanes = row[first : first + 32]
            want["global_loads"] += len(lanes)
            want["global_load_bytes"] += 4 * len(lanes)
            want["global_load_requests"] += 1
            want["global_load_sectors"] += sectors([4 * (s * len(row) + first + k) for k in range(len(lanes))])
            touched = [(lane, int(i) * width) for lane, i in enumerate(lanes) if i >= 0]
            if not touched:
                continue
            if shared:
                want[f"shared_{action}s"] += len(touched)
                want[f"shared_{action}_requests"] += 1
                deepest = passes(touched, width, not store)
                want[f"shared_{action}_wavefronts"] += sum(deepest)
                want[f"shared_{action}_conflicts"] += sum(deepest) - len(deepest)
            else:
                want[f"global_{action}s"] += len(touched)
                want["global_load_bytes"] += 0 if store else width * len(touched)
                want[f"global_{action}_requests"] += 1
                want[f"global_{action}_sectors"] += sectors([address for _, address in touched])
    for first in range(0, index.shape[1], 32):
        # At best the lanes of a warp make their first accesses together, then their second ones, and so on. A lone
        # access needs one unit, and no request more than it takes.
        used = (index[:, first : first + 32] >= 0).sum(axis=0)
        indices = original = 0
        for s, row in enumerate(index):
            lanes = row[first : first + 32]
            taken = sectors([4 * (s * len(row) + first + k) for k in range(len(lanes))])
            indices += min(at_best(4, False), len(lanes), taken)
            touched = [(lane, int(i) * width) for lane, i in enumerate(lanes) if i >= 0]
            taken = sum(passes(touched, width, not store)) if shared else sectors([address for _, address in touched])
            original += min(at_best(width, shared), len(touched), taken)
        original = min(together(used, at_best(width, shared)), original)
        want["global_load_sectors_at_best"] += indices
        want[f"shared_{action}_wavefronts_at_best" if shared else f"global_{action}_sectors_at_best"] += original
    want["barriers"] = index.size
    return want


MIXED = """\
__global__ void widths(float* memory)
{
    int t = threadIdx.x;
    float* mine = memory + 8 * t;       // a sector of its own
    if (t < 6)
        *mine = 0;
    else if (t < 15)
        *(float2*)mine = {};
    else
        *(float4*)mine = {};
    for (int k = 0; k < 4 && t == 31; k++)
        *(float4*)mine = {};
}
"""


def test_lanes_that_differ_in_width_are_not_apart() -> None:
    counts = Kernel(MIXED, "widths").emulate(1, 32, [np.zeros(256, np.float32)]).counts
    assert counts is not None
    assert counts.global_store_sectors == 32 + 4  # which is 5 + 9 + 17 + 4 and one, width by width
    assert counts.global_store_sectors_at_best == 17 + 4


ATOMICS = """\
__global__ void updates(const int* index, int shared, int steps, int* memory)
{
    extern __shared__ int tile[];
    for (int k = threadIdx.x; k < 2048; k += blockDim.x) tile[k] = 0;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        int i = index[s * blockDim.x + threadIdx.x];
        if (i >= 0) atomicAdd(shared ? &tile[i] : &memory[i], 1);
        __syncthreads();
    }
}
"""


def test_atomics() -> None:
    for seed in range(60):
        random = np.random.default_rng(seed)
        block, steps, shared = int(random.choice([32, 45, 96])), 12, seed % 2
        index = np.array([pattern(random, 4, block) for _ in range(steps)])
        run = Kernel(ATOMICS, "updates").emulate(1, block, [index, shared, steps, np.zeros(2048, np.int32)], BYTES)
        warps = [[4 * int(i) for i in row[k : k + 32] if i >= 0] for row in index for k in range(0, block, 32)]
        warps = [warp for warp in warps if warp]
        assert run.counts is not None and run.completed
        kind = "shared_atomic_wavefronts" if shared else "global_atomic_sectors"
        counted = [getattr(run.counts, kind + more) for more in ("", "_as_stores", "_at_best")]
        requests = run.counts.shared_atomic_requests if shared else run.counts.global_atomic_requests
        parts = [index[:, first : first + 32] for first in range(0, block, 32)]
        assert requests == len(warps)

        def stored(warp: list[int], shared: int = shared) -> int:
            return sum(passes(list(enumerate(warp)), 4, False)) if shared else sectors(warp)

        def best(part: np.ndarray, shared: int = shared) -> int:
            most = together((part >= 0).sum(axis=0), at_best(4, bool(shared)))
            rows = ([4 * int(i) for i in row if i >= 0] for row in part)
            return min(most, sum(min(at_best(4, bool(shared)), len(row), stored(row)) for row in rows))

        assert counted == [
            sum(map(atomic_passes if shared else atomic_sectors, warps)),
            sum(map(stored, warps)),
            sum(map(best, parts)),
        ], seed
