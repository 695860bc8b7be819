"""Are the accesses of lanes that loop differently combined into requests as on a GPU?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import inputs
import numpy as np
import pytest
from narrowing import counts_of

from autograder import Kernel

pytestmark = [inputs.emulation, pytest.mark.usefixtures("optimized")]

# One warp; the expected counts were found by hand: the rounds in which any lane is at the line.
HEAD = "__global__ void walk(const float* in, float* out)\n{\n    int lane = threadIdx.x;\n    float sum = 0.0f;\n"
TAIL = "    out[lane] = sum;\n}\n"
BY_HAND = {
    # In each of 4 rounds half the lanes go round 4 times and the others once: 4 times 4. Each lane comes by 10 times.
    "nested": (
        "for (int r = 0; r < 4; r++) for (int i = 0; i < (lane % 2 == r % 2 ? 4 : 1); i++) sum += in[32 * i + lane];",
        16,
        1,
    ),
    # Half the lanes load in each of the 8 rounds; each lane loads 4 times.
    "continue": (
        "for (int i = 0; i < 8; i++) { if ((i + lane) % 2) continue; sum += in[32 * i + lane]; }",
        8,
        1,
    ),
    # The lanes leave in 4 rounds, each time with a load, which each lane makes once; then all load together.
    "break": (
        "for (int i = 0; i < 4; i++) if (lane % 4 == i) { sum += in[32 * i + lane]; break; } sum += in[lane];",
        4 + 1,
        1,
    ),
    # A quarter of the lanes each time; and nobody waits for those who returned.
    "return": (
        "for (int i = 0; i < 3; i++) { if (lane % 4 == i) { out[lane] = sum; return; } sum += in[lane]; }\n"
        "sum += in[lane];",
        3 + 1,
        3 + 1,
    ),
    # Lane n halves n until it is 0: up to 5 rounds; then n + 16 modulo 32: up to 5 again, for other lanes.
    "while": (
        "for (int r = 0; r < 2; r++) { int n = (lane + 16 * r) % 32; while (n > 0) { sum += in[n]; n /= 2; } }",
        5 + 5,
        1,
    ),
    # The end of the loop is in the data: element n is n, so lane n loads n + 1 times.
    "while_loads": ("int n = 0; while (in[n] < lane) n++; sum += in[n];", 32 + 1, 1),
    # The first round for all, then 3 more for a quarter of the lanes; the same in the other round.
    "do_while": (
        "for (int r = 0; r < 2; r++) { int i = 0; do sum += in[32 * i + lane]; while (++i < 4 && lane / 16 == r); }",
        4 + 4,
        1,
    ),
    # Out of two loops at once, in rounds (0, 2), (1, 2), (2, 2) and (3, 2): 4 times 3 rounds, and 4 ways out.
    "goto": (
        "for (int r = 0; r < 4; r++) for (int i = 0; i < 3; i++) {\n"
        "sum += in[lane]; if (i == 2 && lane % 4 == r) { sum += in[lane]; goto out; } }\nout:;",
        12 + 4,
        1,
    ),
    "without_end": (
        "for (int i = 0;; i++) { if (i == lane % 3) break; sum += in[lane]; if (lane == 2 && i == 1) break; }",
        2,
        1,
    ),
    # Into a loop from outside, for no lane at all: half the lanes load in each of the 8 rounds.
    "goto_into": (
        "int i = 0; if (lane < 0) goto next; again: if (i % 2 == lane % 2) sum += in[32 * i + lane];\n"
        "next: if (++i < 8) goto again;",
        8,
        1,
    ),
    # Every barrier opens a new page; the rounds go on.
    "barriers": (
        "for (int i = 0; i < 4; i++) { for (int k = 0; k < (lane + i) % 4; k++) sum += in[lane]; __syncthreads(); }",
        4 * 3,
        1,
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_requests_of_lanes_that_loop_differently(name: str) -> None:
    body, loads, stores = BY_HAND[name]
    counts = counts_of(Kernel(HEAD + body + TAIL, "walk").emulate(1, 32, [values(), out()]))
    assert (counts.global_load_requests, counts.global_store_requests) == (loads, stores)


CALLS = """
__device__ float total(const float* from, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += from[i];
    return sum;
}
__device__ float deep(const float* from, int n) { return n == 0 ? 0.0f : from[n] + deep(from, n - 1); }
__global__ void walk(const float* in, float* out)
{
    int lane = threadIdx.x;
    float sum = 0.0f;
    CALL
    out[lane] = sum;
}
"""


@pytest.mark.parametrize(
    ("call", "loads"),
    [
        # One function, called in two branches: not together, though each lane calls it once.
        ("if (lane < 16) sum = total(in, 3); else sum = total(in + 32, 3);", 6),
        ("for (int i = 0; i < 3; i++) sum += total(in, (lane + i) % 4);", 9),
        ("sum = deep(in, lane % 5);", 4),
        ("float (*f)(const float*, int) = lane % 2 ? total : deep; for (int i = 0; i < 2; i++) sum += f(in, 2);", 8),
        ("auto f = [&](int n) { for (int i = 0; i < n; i++) sum += in[i]; }; f(lane % 2); f(1 - lane % 2);", 2),
    ],
)
def test_requests_in_functions(call: str, loads: int) -> None:
    counts = counts_of(Kernel(CALLS.replace("CALL", call), "walk").emulate(1, 32, [values(), out()]))
    assert counts.global_load_requests == loads


def test_a_loop_in_a_very_large_function_counts_no_less() -> None:
    body, loads, stores = BY_HAND["continue"]
    many = "if (sum < 0) sum = 0;" * 1100
    counts = counts_of(Kernel(f"{HEAD}{many}{body}{TAIL}", "walk").emulate(1, 32, [values(), out()]))
    assert (counts.global_load_requests, counts.global_store_requests) == (loads, stores)


def test_lanes_that_loop_differently_far() -> None:
    """One lane is ahead of the others by more requests than the emulator keeps, and time slices end in between."""
    body = "for (int i = 0; i < (lane ? 40000 : 60000); i++) sum += in[i % 64];\nsum += in[lane];"
    counts = counts_of(Kernel(HEAD + body + TAIL, "walk").emulate(1, 32, [values(), out()]))
    assert counts.global_load_requests == 60001
    assert counts.global_loads == 60000 + 31 * 40000 + 32


def values() -> np.ndarray:
    return np.arange(1024, dtype=np.float32)


def out() -> np.ndarray:
    return np.zeros(32, np.float32)


# ---- programs made at random, and a warp that runs them as a GPU does: all lanes at once, under a mask --------------
NEXT = "#define NEXT(n) (x = x * 1664525u + 1013904223u, (x >> 16) % (n))\n"


class Warp:
    """32 lanes, each with a number that `next` advances; `requests` and `sectors` are what they loaded."""

    def __init__(self) -> None:
        self.x = list(range(32))
        self.requests = self.sectors = 0

    def next(self, lanes: set[int], n: int) -> dict[int, int]:
        """The next number below n of each of `lanes`."""
        for lane in lanes:
            self.x[lane] = (self.x[lane] * 1664525 + 1013904223) % 2**32
        return {lane: (self.x[lane] >> 16) % n for lane in lanes}

    def load(self, lanes: set[int]) -> None:
        self.requests += bool(lanes)
        self.sectors += len({(32 * (self.x[lane] >> 16 & 15) + lane) // 8 for lane in lanes})


class Left(dict[str, set[int]]):
    """The lanes that have left, by what they left: "round", "loop" or "function"."""

    def __init__(self) -> None:
        super().__init__({"round": set(), "loop": set(), "function": set()})

    def of(self, lanes: set[int]) -> set[int]:
        return lanes - self["round"] - self["loop"] - self["function"]


class Statement(NamedTuple):
    """`body`, run if a number below `n` is 0, or as often as such numbers say."""

    kind: str
    n: int
    body: list[Statement]


def make(rng: random.Random, depth: int, in_loop: bool) -> list[Statement]:
    kinds = ["load", "load", "if", "for", "while", "do", "return", *(["break", "continue"] if in_loop else [])]
    out = []
    for _ in range(rng.randrange(1, 4)):
        kind = rng.choice(kinds if depth else ["load"])
        if kind in ("load", "return") and rng.random() < 0.7:
            kind = "load"
        body = make(rng, depth - 1, in_loop or kind in ("for", "while", "do")) if kind != "load" else []
        out.append(Statement(kind, rng.randrange(2, 5), body))
    return out


LEAVES = {"break": "loop", "continue": "round", "return": "function"}


def run(statements: list[Statement], warp: Warp, lanes: set[int], left: Left) -> None:
    """Run all `lanes` at once, except those that have left."""
    for kind, n, body in statements:
        here = left.of(lanes)
        if kind == "load":
            warp.load(here)
        elif kind == "if" or kind in LEAVES:
            yes = {lane for lane, number in warp.next(here, n).items() if not number}
            run(body, warp, yes, left)
            if kind in LEAVES:
                left[LEAVES[kind]] |= left.of(yes)
        else:
            inner = Left()
            inner["function"] = left["function"]
            rounds = warp.next(here, n) if kind == "for" else {}
            going = here
            for i in count():
                if kind == "for":
                    going = {lane for lane in going if i < rounds[lane]}
                elif kind == "while" or i:
                    going = {lane for lane, number in warp.next(going, n).items() if number}
                if not going:
                    break
                run(body, warp, going, inner)
                inner["round"] = set()
                going = inner.of(going)


def text(statements: list[Statement], names: Iterator[int]) -> Iterator[str]:
    for kind, n, body in statements:
        inside = "".join(text(body, names))
        match kind:
            case "load":
                yield "sum += in[32 * (x >> 16 & 15) + lane];\n"
            case "if":
                yield f"if (NEXT({n}u) == 0) {{\n{inside}}}\n"
            case "for":
                i = f"i{next(names)}"
                yield f"for (unsigned {i} = 0, n = NEXT({n}u); {i} < n; {i}++) {{\n{inside}}}\n"
            case "while":
                yield f"while (NEXT({n}u)) {{\n{inside}}}\n"
            case "do":
                yield f"do {{\n{inside}}} while (NEXT({n}u));\n"
            case _:
                yield f"if (NEXT({n}u) == 0) {{\n{inside}{kind};\n}}\n"


@pytest.mark.parametrize("seed", range(3))
def test_a_warp_under_a_mask_makes_the_same_requests(seed: int) -> None:
    rng = random.Random(seed)
    warp, parts, calls = Warp(), [], []
    for k in range(16):
        statements = make(rng, 3, in_loop=False)
        run(statements, warp, set(range(32)), Left())
        parts.append(
            f"__device__ void part{k}(const float* in, int lane, unsigned& x, float& sum)\n"
            f"{{\n{''.join(text(statements, count()))}}}\n"
        )
        calls.append(f"part{k}(in, lane, x, sum);\n")
    source = NEXT + "".join(parts) + HEAD + "unsigned x = lane;\n" + "".join(calls) + TAIL
    for schedule in ("forward", "backward"):
        counts = counts_of(Kernel(source, "walk").emulate(1, 32, [values(), out()], schedule=schedule))
        assert (counts.global_load_requests, counts.global_load_sectors) == (warp.requests, warp.sectors)
    assert warp.requests > 500
