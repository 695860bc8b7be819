"""Inline PTX for memory and for threads together: what it computes, and what is found in it."""

from __future__ import annotations

from typing import Any

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.run import Run
from autograder.cuda.nvrtc import compiler as nvrtc

pytestmark = pytest.mark.cached(*inputs.EMULATION)


def run(text: str, *args: Any, block: int = 32, grid: int = 1) -> Run:
    """One on the emulator; NVIDIA's compiler and assembler take the text, too."""
    if nvrtc.problem() is None:
        result = nvrtc.compile_for(text, "k", "sm_90")
        assert result.ok, result.messages
    return Kernel(text, "k").emulate(grid, block, list(args))


# ---- loads and stores ------------------------------------------------------------------------------------------
SHARED = """
__global__ void k(unsigned* out, const unsigned* other)
{
    __shared__ __align__(16) unsigned a[128];
    unsigned at = (unsigned)__cvta_generic_to_shared(a), t = threadIdx.x, x, y, z, w;
    unsigned long long far;
    float f;
    asm volatile("st.shared.v2.u32 [%0], {%1, 7};" :: "r"(at + 8 * t), "r"(t) : "memory");
    __syncthreads();
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4+16];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at + 16 * (t % 15)) : "memory");
    out[8 * t] = x, out[8 * t + 1] = y, out[8 * t + 2] = z, out[8 * t + 3] = w;
    __syncthreads();
    asm volatile("st.volatile.shared::cta.u8 [%0 + %2], %1;" :: "r"(at + t), "r"(256 + t), "n"(64) : "memory");
    asm volatile("st.shared.f32 [%0], 0f3FC00000;" :: "r"(at + 96 + 4 * t) : "memory");
    asm volatile("ld.volatile.shared.s8 %0, [%1+64];" : "=r"(out[8 * t + 4]) : "r"(at + t) : "memory");
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; ld.shared.f32 %0, [a + 96]; }"
                 : "=f"(f) : "l"(a + t) : "memory");
    out[8 * t + 5] = f == 1.5f;
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(far) : "l"((unsigned long long)at));
    out[8 * t + 6] = far == (unsigned long long)a;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.b32 %0, [%1+-4];" : "=r"(x) : "l"(other + t + 1) : "memory");
    out[8 * t + 7] = x;
}
"""


def test_shared_memory_has_addresses_of_its_own() -> None:
    done = run(SHARED, np.zeros(256, np.uint32), np.arange(32, dtype=np.uint32))
    assert done.completed and not done.findings, done.findings
    out = done.outputs[0].reshape(32, 8)
    for t in range(32):
        first = 2 * (t % 15) + 2
        assert list(out[t]) == [first, 7, first + 1, 7, t, 1, 1, t]


LANES = """
__global__ void k(unsigned* out)
{
    __shared__ unsigned a[32];
    unsigned at = (unsigned)__cvta_generic_to_shared(a), t = threadIdx.x, x;
    a[t] = t;
    BARRIER
    asm volatile("STATEMENT" : "=r"(x) : "r"(at + 4 * t), "l"(out + t), "l"(a + t) : "memory");
    out[t] = x;
}
"""


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("ld.shared.u32 %0, [%1];", None),
        ("ld.shared.u32 %0, [%1+4];", Kind.OUT_OF_BOUNDS),
        ("st.shared.u32 [%1+-4], 1; mov.u32 %0, 0;", Kind.OUT_OF_BOUNDS),
        ("ld.shared.v2.u32 {%0, _}, [%1];", Kind.MISALIGNED_ACCESS),
        ("ld.global.u32 %0, [%3];", Kind.CRASH),
        ("ld.u32 %0, [%3];", None),
        ("{ .reg .pred p; setp.eq.u32 p, %1, 1; mov.u32 %0, 1; @p ld.shared.u32 %0, [%1+4000]; }", None),
    ],
)
def test_a_wrong_address_is_found(statement: str, kind: Kind | None) -> None:
    done = run(LANES.replace("STATEMENT", statement).replace("BARRIER", "__syncthreads();"), np.zeros(32, np.uint32))
    assert {finding.kind for finding in done.findings} == ({kind} if kind else set())


def test_a_race_by_shared_addresses_is_found() -> None:
    text = LANES.replace("STATEMENT", "ld.shared.u32 %0, [%1];").replace("4 * t)", "4 * (t ^ 32))")
    text = text.replace("[32]", "[64]").replace("BARRIER", "")
    done = run(text, np.zeros(64, np.uint32), block=64)
    assert {finding.kind for finding in done.findings} == {Kind.RACE}


def test_what_is_shared_is_counted() -> None:
    done = run(LANES.replace("STATEMENT", "ld.shared.u32 %0, [%1];").replace("BARRIER", ""), np.zeros(32, np.uint32))
    assert done.counts is not None and (done.counts.shared_loads, done.counts.shared_load_wavefronts) == (32, 1)


# ---- atomics -----------------------------------------------------------------------------------------------------
ATOMIC = """
    {
        __shared__ TYPE a;
        TYPE *to = (TYPE*)(out + NUMBER), v = (TYPE)(VALUE), found = 0;
        unsigned long long at = SPACE;
        if (t == 0) a = *to;
        __syncthreads();
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 99; @p STATEMENT; }"
                     : "+LETTER"(found) : "l"(at), "LETTER"(v), "r"(t) : "memory");
        *(TYPE*)(old + 32 * NUMBER + t) = found;
        __syncthreads();
        if (t == 0 && IN_SHARED) *to = a;
    }
"""
U32, S32, U64, S64 = ("unsigned", "r"), ("int", "r"), ("unsigned long long", "l"), ("long long", "l")
DTYPES = {"unsigned": "u4", "int": "i4", "float": "f4", "double": "f8", "long long": "i8", "unsigned long long": "u8"}
#: The instruction, its type, where it begins, what each thread gives it, and where it ends.
UPDATES: tuple[tuple[str, tuple[str, str], float, str, float], ...] = (
    ("add.u32", U32, 5, "t", 5 + 496),
    ("add.s32", S32, 0, "-1", -32),
    ("add.u64", U64, 2**40, "t", 2**40 + 496),
    ("add.f32", ("float", "f"), 0.5, "1", 32.5),
    ("add.f64", ("double", "d"), 0.5, "t", 496.5),
    ("min.s32", S32, 3, "int(t) - 7", -7),
    ("max.s32", S32, -3, "int(t) - 7", 24),
    ("min.u32", U32, 2**32 - 1, "t + 7", 7),
    ("max.u32", U32, 3, "0u - t", 2**32 - 1),
    ("min.s64", S64, 3, "(long long)t - 7", -7),
    ("max.u64", U64, 3, "0ull - t", 2**64 - 1),
    ("and.b32", U32, 2**32 - 1, "~(1u << t)", 0),
    ("or.b32", U32, 0, "1u << t", 2**32 - 1),
    ("xor.b64", U64, 1, "1ull << t", 2**32 - 2),
    ("inc.u32", U32, 0, "20", 32 - 21),
    ("dec.u32", U32, 0, "20", 10),
)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("instruction", ["atom.relaxed.gpuSPACE.NAME %0, [%1], %2", "redSPACE.NAME [%1], %2"])
@pytest.mark.parametrize("space", ["", ".global", ".shared"])
def test_atomics_update_one_after_the_other(space: str, instruction: str) -> None:
    blocks, out = [], np.zeros(len(UPDATES), np.uint64)
    for i, (name, (type_, letter), begin, value, _) in enumerate(UPDATES):
        statement = instruction.replace("SPACE", space).replace("NAME", name)
        text = ATOMIC.replace("STATEMENT", statement).replace("TYPE", type_).replace("LETTER", letter)
        at = "__cvta_generic_to_shared(&a)" if space == ".shared" else "(unsigned long long)to"
        text = text.replace("SPACE", at).replace("IN_SHARED", str(int(space == ".shared")))
        blocks.append(text.replace("VALUE", value).replace("NUMBER", str(i)))
        out[i : i + 1].view(DTYPES[type_])[0] = begin
    head = "__global__ void k(unsigned long long* out, unsigned long long* old)\n{\n    unsigned t = threadIdx.x;\n"
    done = run(f"{head}{''.join(blocks)}}}", out, np.zeros(32 * len(UPDATES), np.uint64))
    assert done.completed and not done.findings, done.findings
    for i, (name, (type_, _), begin, _, end) in enumerate(UPDATES):
        found = (done.outputs[0][i : i + 1].view(DTYPES[type_])[0], done.outputs[1][32 * i :].view(DTYPES[type_]))
        assert found[0] == np.array(end, DTYPES[type_]), name
        assert instruction.startswith("red") or begin in found[1], name


SWAPS = """
__global__ void k(unsigned* out, unsigned* old)
{
    unsigned t = threadIdx.x;
    asm volatile("atom.global.cas.b32 %0, [%1], 0, %2;" : "=r"(old[t]) : "l"(out), "r"(t + 1) : "memory");
    asm volatile("atom.global.exch.b32 %0, [%1+4], %2;" : "=r"(old[32 + t]) : "l"(out), "r"(t + 1) : "memory");
}
"""


def test_one_thread_swaps_and_all_exchange() -> None:
    done = run(SWAPS, np.zeros(2, np.uint32), np.zeros(64, np.uint32))
    assert not done.findings and done.counts is not None
    (first, last), old = done.outputs
    assert sorted(old[:32]) == [0] + [first] * 31 and sorted([*old[32:], last]) == list(range(33))


MESSAGE = """
__global__ void k(unsigned* data, unsigned* flag)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        asm volatile("SEND" :: "l"(flag) : "memory");
    } else {
        unsigned seen;
        do asm volatile("RECEIVE" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        data[1] = data[0];
    }
}
"""


@pytest.mark.parametrize(
    ("send", "receive", "races"),
    [
        ("red.release.gpu.global.add.u32 [%0], 1;", "atom.acquire.gpu.add.u32 %0, [%1], 0;", False),
        ("atom.acq_rel.sys.exch.b32 _, [%0], 1;", "atom.acq_rel.gpu.cas.b32 %0, [%1], 2, 3;", False),
        ("st.release.gpu.u32 [%0], 1;", "ld.global.acquire.gpu.u32 %0, [%1];", False),
        ("red.relaxed.gpu.add.u32 [%0], 1;", "atom.acquire.gpu.add.u32 %0, [%1], 0;", True),
        ("red.release.gpu.add.u32 [%0], 1;", "atom.add.u32 %0, [%1], 0;", True),
        ("red.release.cta.add.u32 [%0], 1;", "atom.acquire.cta.add.u32 %0, [%1], 0;", True),
    ],
)
def test_an_order_is_one_of_the_threads_that_it_concerns(send: str, receive: str, races: bool) -> None:
    text = MESSAGE.replace("SEND", send).replace("RECEIVE", receive)
    done = run(text, np.zeros(2, np.uint32), np.zeros(1, np.uint32), grid=2, block=1)
    assert ({finding.kind for finding in done.findings} == {Kind.RACE}) is races and (races or not done.findings)


# ---- warps -----------------------------------------------------------------------------------------------------
WARP = """
__global__ void k(unsigned* out)
{
    unsigned t = threadIdx.x, r;
    asm volatile("{ .reg .pred p, q; .reg .b32 u; .reg .b64 v; setp.ge.u32 p, %1, 5; STATEMENT }" : "=r"(r) : "r"(t));
    out[t] = r;
}
"""
REPORTED = "selp.u32 %0, 1, 0, q;"
VOTES = {
    f"vote.sync.all.pred q, p, -1; {REPORTED}": [0] * 32,
    f"vote.sync.any.pred q, !p, 0xffffffff; {REPORTED}": [1] * 32,
    f"vote.sync.uni.pred q, p, -1; {REPORTED}": [0] * 32,
    "vote.sync.ballot.b32 %0, !p, -1;": [31] * 32,
    "activemask.b32 %0;": [2**32 - 1] * 32,
    "shr.u32 u, %1, 3; match.any.sync.b32 %0, u, -1;": [255 << t // 8 * 8 for t in range(32)],
    "cvt.u64.u32 v, %1; shr.u64 v, v, 4; match.any.sync.b64 %0, v, -1;": [65535 << t // 16 * 16 for t in range(32)],
    "match.all.sync.b32 %0|q, %1, -1; @q mov.u32 %0, 9;": [0] * 32,
    "mov.b32 u, 3; match.all.sync.b32 %0|q, u, -1; @q mov.u32 %0, 9;": [9] * 32,
    "redux.sync.add.u32 %0, %1, -1;": [496] * 32,
    "redux.sync.max.s32 %0, %1, -1;": [31] * 32,
    "not.b32 u, %1; redux.sync.min.s32 %0, u, -1;": [2**32 - 32] * 32,
    "redux.sync.xor.b32 %0, %1, -1;": [0] * 32,
    f"elect.sync u|q, -1; {REPORTED} add.u32 %0, %0, u;": [1] + [0] * 31,
    f"elect.sync _|q, -1; {REPORTED}": [1] + [0] * 31,
    "nanosleep.u32 20; griddepcontrol.wait; griddepcontrol.launch_dependents; mov.u32 %0, 4;": [4] * 32,
    "prefetch.global.L2 [v]; prefetchu.L1 [v + 16]; mov.u32 %0, 4;": [4] * 32,
}


def shuffled(how: str, b: int, c: int, t: int) -> tuple[int, bool]:
    """PTX ISA, "shfl.sync": the lane, and the predicate."""
    segment, clamp = c >> 8 & 31, c & 31
    most, least = (t & segment) | (clamp & ~segment), t & segment
    b &= 31
    lane = {"up": t - b, "down": t + b, "bfly": t ^ b, "idx": least | (b & ~segment)}[how]
    inside = lane >= most if how == "up" else lane <= most
    return (lane if inside else t), inside


SHUFFLE = "mul.lo.u32 u, %1, 3; shfl.sync.{how}.b32 u|q, u, {b}, {c}, -1; selp.b32 %0, u, 1000, q;"
SHUFFLES = {
    SHUFFLE.format(how=how, b=b, c=c): [
        3 * lane if inside else 1000 for lane, inside in (shuffled(how, b, c, t) for t in range(32))
    ]
    for how in ("up", "down", "bfly", "idx")
    for b in (0, 1, 5, 17, 33)
    for c in (0, 31, 0x181F, 0x1C1F, 0x1800, 15, 0x1807)
}


@pytest.mark.sampled()
@pytest.mark.parametrize(
    "of",
    [VOTES, dict([*SHUFFLES.items()][:70]), dict([*SHUFFLES.items()][70:])],
    ids=["votes", "up, down", "bfly, idx"],
)
def test_a_warp_does_it_together(of: dict[str, list[int]]) -> None:
    blocks = []
    for i, statement in enumerate(of):
        body = WARP.replace("STATEMENT", statement).partition("{")[2].rpartition("}")[0]
        blocks.append("{" + body.replace("out[t]", f"out[{32 * i} + t]") + "}")
    done = run(f"__global__ void k(unsigned* out)\n{{\n{' '.join(blocks)}\n}}", np.zeros(32 * len(of), np.uint32))
    assert done.completed and not done.findings, done.findings
    for statement, want, found in zip(of, of.values(), done.outputs[0].reshape(-1, 32), strict=True):
        assert list(found) == want, statement


def test_lanes_that_vote_and_lanes_that_do_not_never_meet() -> None:
    text = WARP.replace("STATEMENT", "@p vote.sync.ballot.b32 %0, p, -1; @!p bar.warp.sync -1;")
    assert {finding.kind for finding in run(text, np.zeros(32, np.uint32)).findings} == {Kind.BARRIER_DIVERGENCE}


def test_a_shuffle_counts_as_one_and_a_vote_as_a_vote() -> None:
    text = WARP.replace(
        "STATEMENT", "vote.sync.ballot.b32 %0, p, -1; shfl.sync.idx.b32 %0|q, %0, 3, 31, -1; elect.sync _|q, -1;"
    )
    counts = run(text, np.zeros(32, np.uint32)).counts
    assert counts is not None and (counts.shuffles, counts.votes) == (32, 64)
