"""One finding for each way in which a report can be worded, made by hand."""

from collections.abc import Callable
from dataclasses import replace

from autograder.cuda.core.diagnostics import Diagnostic
from autograder.cuda.core.findings import (
    AbsentBlock,
    AbsentLane,
    Access,
    Action,
    BarrierDivergence,
    CompileError,
    Crash,
    DamagedGuard,
    EndedBlock,
    EscapedPointer,
    ForbiddenCode,
    GpuCrash,
    Hazard,
    IndexOutOfBounds,
    InvalidWarpMask,
    MisalignedAccess,
    Mismatch,
    OutOfBounds,
    PartlyWritten,
    Race,
    ReadOnlyWrite,
    Scope,
    Space,
    StepLimit,
    Unawaited,
    UninitializedRead,
    Waiting,
    WildAccess,
)
from autograder.cuda.core.refusal import Refusal
from autograder.cuda.core.run import LineTraffic
from autograder.exercises.findings import (
    BankConflicts,
    ExcessTraffic,
    IdleThreads,
    LoadImbalance,
    MeasuredLaunch,
    TooSlow,
    Uncoalesced,
    UnsharedLoads,
    WrongLimit,
    WrongNumber,
)
from autograder.exercises.report.limits import LIMITS


def access(
    thread: tuple[int, int, int],
    line: int,
    text: str,
    action: Action | None = None,
    element: tuple[str, *tuple[int, ...]] = ("tile", 128),
    space: Space = "shared",
    block: tuple[int, int, int] = (0, 0, 0),
    place: tuple[int, ...] = (),
    owner: tuple[int, int, int] | None = None,
) -> Access:
    name, *index = element
    return Access(block, thread, line, text, action, name, tuple(index), space, place, owner)


def race(
    first: Access,
    second: Access,
    hazard: Hazard,
    scope: Scope = "block",
    *,
    same_value: bool = False,
    atomic: bool = False,
    changes: bool = False,
    atomic_bytes: tuple[int, int] = (0, 0),
    unawaited: Unawaited = "",
    copy_line: int = 0,
    cached: bool = False,
    count: int = 1,
) -> Race:
    return Race(
        accesses=(first, second),
        count=count,
        hazard=hazard,
        scope=scope,
        same_value=same_value,
        atomic=atomic,
        changes=changes,
        atomic_bytes=atomic_bytes,
        unawaited=unawaited,
        copy_line=copy_line,
        cached=cached,
    )


def both(make: Callable[[int], Access], first: int, other: int) -> tuple[Access, Access]:
    return make(first), make(other)


STORE = access((128, 0, 0), 7, "tile[tid] = i < n ? in[i] : 0.0f;", "write")
LOAD = access((0, 0, 0), 9, "if (tid < stride) tile[tid] += tile[tid + stride];", "read")
FAR = access((3, 0, 0), 9, "out[0] += sum;", "write", ("out", 0), "global", (7, 0, 0))
NEAR = access((0, 0, 0), 9, "out[0] += sum;", "read", ("out", 0), "global", (12, 0, 0))
ATOMIC = access((5, 0, 0), 8, "atomicAdd(&h[v[i]], 1u);", "atomic", ("h", 3))
PLAIN = access((3, 0, 0), 5, "h[threadIdx.x] = 0;", "write", ("h", 3))
COPY = access((63, 0, 0), 6, "__pipeline_memcpy_async(&s[t], &in[t], 4);", "write", ("s", 63))
USED = access((0, 0, 0), 9, "out[t] = s[63 - t];", "read", ("s", 63))
BLOCKWISE = both(
    lambda b: access((0, 0, 0), 4, "atomicAdd_block(n, 1);", "atomic", ("n", 0), "global", (b, 0, 0)), 0, 2
)
STUCK = access((4, 0, 0), 6, "while (i < n) { }", element=("",))
WAITING = access((0, 0, 0), 9, "__syncthreads();", element=("",))


def outside(where: Access, shape: tuple[int, ...], bytes_outside: int = 4) -> OutOfBounds:
    return OutOfBounds(accesses=(where,), shape=shape, bytes_outside=bytes_outside)


def divergence(waiting: list[Waiting], exited: int, threads: int = 64, scope: Scope = "block") -> BarrierDivergence:
    return BarrierDivergence(
        accesses=(WAITING,) * len(waiting), waiting=tuple(waiting), exited=exited, threads=threads, scope=scope
    )


def compile_error(*messages: tuple[int, int, str], log: str = "") -> CompileError:
    return CompileError(messages=tuple(Diagnostic(*message) for message in messages), log=log)


MISMATCH = Mismatch(
    output="out",
    index=(5,),
    flat=5,
    got="3.0",
    expected="4.0",
    wrong=17,
    size=1000,
    low=(5,),
    high=(999,),
    unwritten=0,
    tolerance=0.0,
)
MESSAGE = (2, 18, "expected ';' after expression")
SOURCE = "\n    int x = f(3,4)\n    y = 2;\n"

FINDINGS = {
    "race: written, then read": race(STORE, LOAD, "read-after-write", count=128),
    "race: read, then written": race(LOAD, STORE, "write-after-read"),
    "race: two writes": race(STORE, STORE, "write-after-write"),
    "race: a change": race(STORE, STORE, "write-after-write", changes=True),
    "race: two writes across blocks": race(FAR, FAR, "write-after-write", "grid"),
    "race: in two dimensions": race(
        *both(lambda n: access((n, 0, 0), 9, "C[r * n + c] = s;", "write", ("C", 16), "global", place=(1, 4)), 0, 1),
        "write-after-write",
    ),
    "race: in three dimensions": race(
        *both(lambda n: access((n, 0, 0), 9, "C[at] = s;", "write", ("C", 16), "global", place=(1, 0, 4)), 0, 1),
        "write-after-write",
    ),
    "race: two writes in two lines": race(FAR, replace(NEAR, action="write", line=11), "write-after-write", "grid"),
    "race: the same value": race(STORE, STORE, "write-after-write", same_value=True),
    "race: in a warp": race(STORE, LOAD, "read-after-write", "warp"),
    "race: beside a barrier in memory": replace(race(STORE, LOAD, "read-after-write"), phases=True),
    "race: across blocks": race(FAR, NEAR, "read-after-write", "grid", count=2),
    "race: a change across blocks": race(FAR, FAR, "write-after-write", "grid", changes=True),
    "race: in one statement": race(LOAD, replace(LOAD, action="write", thread=(64, 0, 0)), "write-after-read"),
    "race: atomic after plain": race(PLAIN, ATOMIC, "write-after-write", atomic=True),
    "race: in a cluster": race(
        replace(STORE, block=(1, 0, 0)), replace(LOAD, owner=(1, 0, 0)), "read-after-write", "cluster", count=2
    ),
    "race: a change in a cluster": race(
        replace(STORE, owner=(1, 0, 0)), replace(STORE, block=(1, 0, 0)), "write-after-write", "cluster", changes=True
    ),
    "race: atomic across blocks": race(ATOMIC, NEAR, "read-after-write", "grid", atomic=True),
    "race: atomics of a block": race(*BLOCKWISE, "write-after-write", "grid", atomic=True),
    "race: atomics of two sizes": race(ATOMIC, ATOMIC, "write-after-write", atomic=True, atomic_bytes=(4, 8)),
    "race: by the read-only cache": race(FAR, NEAR, "read-after-write", "grid", cached=True, count=2),
    "race: its own write, by the read-only cache": race(
        FAR, replace(FAR, action="read", line=11), "read-after-write", "warp", cached=True
    ),
    **{
        f"race: a copy on its way, {wait}": race(COPY, USED, "read-after-write", unawaited=wait, copy_line=6, count=64)
        for wait in ("prior", "group", "barrier", "pipeline", "mbarrier")
    },
    "race: the source of a copy on its way": race(
        replace(COPY, action="read"),
        replace(USED, action="write"),
        "write-after-read",
        unawaited="bulk_group",
        copy_line=6,
    ),
    "race: a copy by another proxy": race(
        replace(USED, action="write"), replace(COPY, action="read"), "read-after-write", unawaited="proxy", copy_line=6
    ),
    "race: its own copy on its way": race(
        COPY, replace(USED, thread=(63, 0, 0)), "read-after-write", "warp", unawaited="prior", copy_line=6
    ),
    "race: a tile is written while it is multiplied": race(
        replace(COPY, action="read"),
        replace(USED, action="write"),
        "write-after-read",
        unawaited="product",
        copy_line=6,
        count=64,
    ),
    "race: a tile that tensor cores do not see": race(
        replace(COPY, action="write"), USED, "read-after-write", unawaited="product_proxy", copy_line=6, count=64
    ),
    "race: a tensor map that copies do not see": race(
        replace(COPY, action="write"),
        replace(USED, action="read"),
        "read-after-write",
        unawaited="map_proxy",
        copy_line=6,
    ),
    "race: a write overtakes a copy": race(
        COPY, replace(USED, action="write"), "write-after-write", unawaited="prior", copy_line=6
    ),
    "race: no array": race(*both(lambda _: access((1, 0, 0), 3, "*p = 1;", "write", ("",)), 0, 0), "write-after-write"),
    "race: long lines": race(
        *both(lambda n: access((n, 0, 0), 70 + n, f"x[{n}] = {'a + ' * 30}b;", "write"), 1, 1000),
        "write-after-write",
    ),
    "bounds: past the end": outside(
        access((255, 0, 0), 8, "out[i] = s;", "write", ("out", 1023), "global", (3, 0, 0)), (1000,)
    ),
    "bounds: in a loop": outside(access((0, 0, 0), 8, "s += in[k];", "read", ("in", 1000), "global"), (1000,)),
    "bounds: dynamic": outside(access((255, 0, 0), 8, "s[i] = 0;", "write", ("s", 0)), (0,)),
    "bounds: far away": outside(
        access((0, 0, 0), 8, "tile[i] = B[i];", "write", ("A", -17011712), "global"), (1536,), 68046848
    ),
    "bounds: before the start": outside(access((0, 0, 0), 8, "s = in[i - 1];", "read", ("in", -1), "global"), (1000,)),
    "bounds: a wide access": outside(access((9, 0, 0), 8, "v = p[i];", "read", ("p", 15)), (16,), 12),
    "bounds: one dimension of two": IndexOutOfBounds(
        accesses=(access((9, 1, 0), 8, "a[i][j] = 0;", None, ("a", 33)),), shape=(16, 32), extent=32, dimension=1
    ),
    "bounds: two dimensions": outside(access((9, 1, 0), 8, "a[i][j] = 0;", "write", ("a", 16, 0)), (16, 32)),
    "bounds: null": WildAccess(accesses=(access((0, 0, 0), 8, "*p = 0;", "write", ("",)),), address=0),
    "bounds: another block's": EscapedPointer(
        accesses=(access((0, 0, 0), 8, "x = p[3];", "read", ("s", 3), block=(1, 0, 0)),), owner=(5, 0, 0)
    ),
    "bounds: a block that has not begun": AbsentBlock(accesses=(replace(LOAD, block=(1, 0, 0), owner=(0, 0, 0)),)),
    "bounds: a copy that a block leaves unfinished": EndedBlock(accesses=(LOAD,), is_copy=True),
    "bounds: a block that has ended": EndedBlock(accesses=(replace(LOAD, block=(1, 0, 0), owner=(0, 0, 0)),)),
    "bounds: in a cluster": outside(
        access((0, 0, 0), 8, "x = there[64];", "read", ("tile", 64), owner=(1, 0, 0)), (64,)
    ),
    "bounds: wild": WildAccess(accesses=(access((0, 0, 0), 8, "*p = 0;", "read", ("",)),), address=1 << 45),
    "uninitialized: shared": UninitializedRead(accesses=(LOAD,), count=3),
    "uninitialized: local": UninitializedRead(
        accesses=(access((0, 0, 0), 3, "s += x[i];", "read", ("x", 2), "local"),)
    ),
    "uninitialized: scalar": UninitializedRead(
        accesses=(access((0, 0, 0), 3, "s += out[0];", "read", ("out", 0), "global"),)
    ),
    "uninitialized: variable": UninitializedRead(
        accesses=(access((0, 0, 0), 3, "sum += x[i];", "read", ("sum",), "local"),), count=3
    ),
    "uninitialized: partly": UninitializedRead(
        accesses=(access((0, 0, 0), 3, "s += x[i];", "read", ("x", 2), "global"),),
        partly=PartlyWritten("cudaMemcpy", 9, 8, 1024, True),
    ),
    "misaligned": MisalignedAccess(accesses=(LOAD,), width=16, address_mod=4),
    "barrier: some left": divergence([Waiting(9, "__syncthreads();", 20)], 44),
    "barrier: one left": divergence([Waiting(9, "__syncthreads();", 63)], 1),
    "barrier: two of them": divergence([Waiting(9, "__syncthreads();", 32), Waiting(14, "__syncthreads();", 32)], 0),
    "barrier: one in two calls": divergence(
        [Waiting(9, "if (t < 32) wait();", 32, inside=3), Waiting(10, "else wait();", 32, inside=3)], 0
    ),
    "barrier: of the grid": divergence([Waiting(9, "grid.sync();", 20)], 44, 64, "grid"),
    "barrier: of a cluster": divergence([Waiting(9, "cluster.sync();", 20)], 44, 64, "cluster"),
    "barrier: in a warp": divergence([Waiting(9, "__syncwarp();", 1)], 0, 32, "warp"),
    "barrier: a shuffle in a branch": divergence(
        [Waiting(9, "v += __shfl_xor_sync(~0u, v, 1);", 16, "__shfl_xor_sync"), Waiting(14, "__syncthreads();", 48)],
        0,
        64,
        "warp",
    ),
    "barrier: matrices": divergence([Waiting(9, "wmma::mma_sync(d, a, b, c);", 16, "mma_sync")], 0, 32, "warp"),
    "barrier: a warpgroup": divergence([Waiting(9, "multiply(sum, a, b);", 96, "wgmma.mma_async")], 32, 128),
    "barrier: with a number": divergence([Waiting(9, 'asm("bar.sync 1, 64;");', 32, "bar.sync")], 0, 128),
    "barrier: two warp functions": divergence(
        [Waiting(9, "v = tile.shfl(v, 0);", 16, "shfl"), Waiting(14, "v = tile.any(v);", 16, "any")], 0, 32, "warp"
    ),
    **{
        f"mask: a value from a lane that is {why}": AbsentLane(accesses=(STUCK,), mask=0xFF, lane=9, source=why)
        for why in ("unnamed", "left", "absent")
    },
    "mask: without the caller": InvalidWarpMask(accesses=(STUCK,), mask=0xFF, lane=9),
    "mask: with a lane that is away": InvalidWarpMask(accesses=(STUCK,), mask=0xFF, lane=3),
    **{
        f"limit: {reason}": StepLimit(accesses=(STUCK,), reason=reason)
        for reason in ("steps", "time", "output", "memory", "spin", "unready", "other block")
    },
    "limit: arrivals missing": StepLimit(accesses=(STUCK,), reason="spin", expected=64, missing=17),
    "limit: children": StepLimit(accesses=(STUCK,), reason="steps", has_children=True),
    "limit: bytes missing": StepLimit(accesses=(STUCK,), reason="spin", expected=64, missing=17, missing_bytes=16),
    "limit: bytes too many": StepLimit(accesses=(STUCK,), reason="spin", expected=1, missing_bytes=-4096),
    "limit: on a GPU": StepLimit(reason="time"),
    "crash": Crash(accesses=(STUCK,), reason="division by zero"),
    "crash: an assertion": Crash(accesses=(STUCK,), reason="assertion failed: n > 0"),
    "crash: recursion": Crash(accesses=(STUCK,), reason="recursion"),
    "crash: no stack left": Crash(accesses=(STUCK,), reason="stack overflow"),
    **{
        f"crash: {reason}": Crash(accesses=(STUCK,), reason=reason)
        for reason in (
            "missing return",
            "shuffle width",
            "many accesses",
            "large tile",
            "barrier arrivals",
            "barrier token",
            *("barrier number", "barrier count", "warpgroup size", "warpgroup arguments", "matrix descriptor"),
            *("registers in use", "registers in memory", "product without a fence"),
            "mbarrier arrivals",
            "mbarrier token",
            "mbarrier count",
            "mbarrier in use",
            "mbarrier not ready",
            "mbarrier bytes",
            "mbarrier not shared",
            "bulk size",
            "bulk copy not shared",
            "bulk copy not global",
            "multicast to no block",
            "no tensor map",
            "field of a tensor map",
            "rank of a tensor map",
            "first coordinate of a tile",
            "tile stored before its tensor",
            "sum of a tile",
            "cluster arrival",
            "cluster wait",
            "grid barrier",
            "cluster rank",
            "cluster address",
            "remote copy",
            "own memory from afar",
            "function pointer",
            "virtual function",
            "heap bounds",
            "heap freed",
            "not of the heap",
            "freed twice",
            "blocking stream",
            "no such stream",
            "local copy",
            "copy of a local",
            "no answer",
            "matrix arguments",
            "matrix address",
            "matrix stride",
            "address not shared",
            "address not global",
            "no such texture",
            "rounding mode",
        )
    },
    "crash: on a GPU": GpuCrash(status=1, text="bad"),
    "crash: an address on a GPU": GpuCrash(status=700, text="an illegal memory access was encountered"),
    "crash: outside an array on a GPU": DamagedGuard(array="out", index=8, size=8),
    "mismatch": MISMATCH,
    "mismatch: as before": replace(MISMATCH, as_before=True),
    "mismatch: right in order": replace(MISMATCH, right_under="order"),
    "mismatch: right at first": replace(MISMATCH, right_under="again"),
    "mismatch: right by chance": replace(MISMATCH, right_under="fill"),
    "mismatch: written": replace(MISMATCH, accesses=(FAR,)),
    "mismatch: nan": replace(MISMATCH, got="nan"),
    "mismatch: read first": replace(MISMATCH, got="nan", read_first=9, unwritten=3),
    "mismatch: unwritten": replace(MISMATCH, got="", unwritten=17, tolerance=0.25),
    "mismatch: partly unwritten": replace(MISMATCH, unwritten=1),
    "mismatch: all": replace(MISMATCH, wrong=1000),
    "mismatch: one of one": replace(MISMATCH, wrong=1, size=1, index=(), low=(), high=()),
    "mismatch: one": replace(MISMATCH, wrong=1),
    "mismatch: in two dimensions": replace(MISMATCH, index=(3, 0), flat=24, low=(3, 0), high=(9, 7)),
    **{
        f"predicted: {word}": WrongNumber(word=word, answered=1, counted=2)
        for word in ("operations", "bytes", "intensity", "waits")
    },
    "predicted: limit": WrongLimit(
        answered=1, part="memory", measured=MeasuredLaunch("H200", {"n": 4096}, 2.5, {"memory": 1.0})
    ),
    "uncoalesced": Uncoalesced(action="load", sectors=320, requests=10, limit=50),
    "uncoalesced: a line": Uncoalesced(
        action="load",
        sectors=320,
        requests=10,
        limit=50,
        worst=LineTraffic(9, "x = in[32 * i];", "global", "load", 8, 256, 0, 40),
    ),
    "uncoalesced: atomics": Uncoalesced(action="atomic", sectors=320, requests=10, limit=50),
    "banks": BankConflicts(passes=41, at_best=9, conflicts=32),
    "banks: stores": BankConflicts(passes=41, at_best=9, conflicts=32, action="store"),
    "banks: in turn": BankConflicts(passes=32, at_best=1, conflicts=0),
    "banks: a line": BankConflicts(
        passes=40,
        at_best=9,
        conflicts=31,
        worst=LineTraffic(9, "x = tile[t][0];", "shared", "load", 1, 32, 31, 1),
    ),
    "limit: atomics": ExcessTraffic(counted="global_loads", measured=2000, limit=1000, atomics=500),
    **{counted: ExcessTraffic(counted=counted, measured=2000, limit=1000) for counted in LIMITS},
    "unshared": LoadImbalance(accesses=(STUCK,), measured=513, at_line=512, limit=108, total=513, threads=256),
    "unshared: by every thread": LoadImbalance(
        accesses=(STUCK,), measured=3000, at_line=3000, limit=6, total=3072000, threads=1024
    ),
    "unshared: loads": UnsharedLoads(measured=8, limit=4),
    "idle: loads": IdleThreads(action="load", measured=64, wanted=128),
    "idle: stores": IdleThreads(action="store", measured=1, wanted=2),
    "slow": TooSlow(measured=1.1, needed=1.3, naive=1.0, good=1.6, median=0.4, other=0.44, baseline="gemm_tiled"),
    "compile": compile_error(MESSAGE),
    "compile: in no line": compile_error((0, 0, "the compiler does not finish")),
    "compile: a log only": compile_error(log="ld: no such thing"),
    "compile: a long line": compile_error((3, 170, "too long")),
    "forbidden": ForbiddenCode(construct="asm", line=3, text='asm("nop;" ::: "r7");', reason=Refusal.ASSEMBLY),
    "forbidden: an instruction": ForbiddenCode(
        construct="mbarrier.init.shared::cta.b64 [%0], %1 and what else may follow it",
        line=3,
        text="asm",
        reason=Refusal.INSTRUCTION,
    ),
    "forbidden: the compiler's": ForbiddenCode(
        construct="__builtin_trap", line=3, text="__builtin_trap();", reason=Refusal.COMPILER
    ),
    "forbidden: memory": ForbiddenCode(construct="malloc", line=3, text="malloc(4);", reason=Refusal.NO_HEAP),
    "forbidden: a header": ForbiddenCode(
        construct="#include <map>", line=1, text="#include <map>", reason=Refusal.HEADER
    ),
    "forbidden: a file": ForbiddenCode(construct='#include "a.h"', line=1, text='#include "a.h"', reason=Refusal.READS),
    "forbidden: unsupported": ForbiddenCode(construct="virtual", line=3, text="virtual", reason=Refusal.UNSUPPORTED),
    "forbidden: a launch": ForbiddenCode(construct="<<<", line=3, text="k<<<1, 1>>>();", reason=Refusal.LAUNCH),
    "forbidden: a space": ForbiddenCode(
        construct="the character U+00A0", line=3, text="int i;", reason=Refusal.NO_CODE
    ),
    "bounds: read only": ReadOnlyWrite(accesses=(access((0, 0, 0), 8, "in[i] = 0;", "write", ("in", 3), "constant"),)),
}
