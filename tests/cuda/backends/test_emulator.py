"""What the emulator counts, traces and returns. Every expected number is derived by hand from the
kernel's text; the comment beside it says how. A warp has 32 lanes, a sector 32 bytes."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder.cuda.backends import emulation, emulator
from autograder.cuda.backends import emulator_process as runner
from autograder.cuda.backends.emulator_request import request
from autograder.cuda.compiler import machine_code, toolchain
from autograder.cuda.core.findings import CompileError, Kind, Race
from autograder.cuda.core.launch import Dims
from autograder.cuda.core.run import TRACE_ACTIONS, Counts, Run
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation


def emulate(source: str, grid: Dims, block: Dims, *args: Any, shared_mem: int = 0, trace: bool = False) -> Run:
    name = source.split("__global__ void ")[1].split("(")[0]
    return Kernel(source, name).emulate(grid, block, args, shared_mem, trace=trace)


def counts(source: str, grid: Dims, block: Dims, *args: Any) -> Counts:
    run = emulate(source, grid, block, *args)
    assert run.findings == ()
    assert run.counts is not None
    return run.counts


def floats(n: int) -> np.ndarray:
    return np.arange(n, dtype=np.float32)


# ---- global memory: 4 blocks of 256 threads are 32 warps --------------------------------------------

COPY = """
__global__ void copy(const float* in, float* out, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride + offset];
}
"""


@pytest.mark.parametrize(
    ("stride", "offset", "sectors"),
    [
        (1, 0, 4),  # 32 lanes x 4 bytes = 128 bytes = 4 sectors
        (2, 0, 8),  # 256 bytes, half of each sector used
        (8, 0, 32),  # 32 bytes between lanes: a sector each
        (32, 0, 32),  # never more than one sector a lane
        (1, 1, 5),  # bytes 4..131 touch sectors 0..4
        (0, 0, 1),  # all lanes read one address
    ],
)
def test_sectors_of_a_strided_copy(stride: int, offset: int, sectors: int) -> None:
    c = counts(COPY, 4, 256, floats(1024 * max(stride, 1) + offset), floats(1024), stride, offset)
    assert (c.global_loads, c.global_stores) == (1024, 1024)
    assert (c.global_load_requests, c.global_store_requests) == (32, 32)
    assert (c.global_load_sectors, c.global_store_sectors) == (32 * sectors, 32 * 4)
    assert (c.shared_loads, c.shared_stores, c.atomics, c.barriers) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("type_", "dtype", "sectors"),
    [
        ("unsigned char", np.uint8, 1),  # 32 x 1 byte
        ("short", np.int16, 2),
        ("double", np.float64, 8),
        ("float4", np.float32, 16),  # 32 x 16 bytes = 512 bytes
    ],
)
def test_sectors_by_width(type_: str, dtype: type[np.number], sectors: int) -> None:
    source = f"__global__ void copy(const {type_}* in, {type_}* out)\n{{ out[threadIdx.x] = in[threadIdx.x]; }}\n"
    n = 64 * (4 if type_ == "float4" else 1)
    c = counts(source, 1, 64, np.zeros(n, dtype), np.zeros(n, dtype))
    # One access a thread, however wide; 2 warps.
    assert (c.global_loads, c.global_stores) == (64, 64)
    assert (c.global_load_requests, c.global_load_sectors) == (2, 2 * sectors)
    assert (c.global_store_requests, c.global_store_sectors) == (2, 2 * sectors)


def test_float4_fma_loads_two_and_stores_one_each() -> None:
    source = """
__global__ void fma4(const float4* a, const float4* b, float4* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x * y.x + 1, x.y * y.y + 1, x.z * y.z + 1, x.w * y.w + 1);
}
"""
    c = counts(source, 2, 128, floats(1024), floats(1024), floats(1024))
    assert (c.global_loads, c.global_stores) == (512, 256)  # 256 threads


def test_a_branch_makes_requests_of_fewer_lanes() -> None:
    source = """
__global__ void evens(const float* in, float* out)
{
    if (threadIdx.x % 2 == 0) out[threadIdx.x] = in[threadIdx.x];
}
"""
    c = counts(source, 1, 64, floats(64), floats(64))
    # 16 lanes of each of 2 warps; they still span 128 bytes.
    assert (c.global_loads, c.global_load_requests, c.global_load_sectors) == (32, 2, 8)


def test_compound_assignment_reads_and_writes() -> None:
    source = "__global__ void bump(float* x)\n{ x[threadIdx.x] += 2.0f; }\n"
    c = counts(source, 1, 32, floats(32))
    assert (c.global_loads, c.global_stores) == (32, 32)


def test_a_value_that_is_not_used_is_still_loaded() -> None:
    source = "__global__ void look(const float* x)\n{ float unused = x[threadIdx.x]; }\n"
    assert counts(source, 1, 32, floats(32)).global_loads == 32


# ---- matrix products, N = 64: 64^3 = 262144 multiplications ---------------------------------------

NAIVE = """
__global__ void gemm(const float* a, const float* b, float* c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
"""
TILED = """
__global__ void gemm(const float* a, const float* b, float* c, int n)
{
    __shared__ float as[16][16];
    __shared__ float bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int m = 0; m < n; m += 16) {
        as[ty][tx] = a[row * n + m + tx];
        bs[ty][tx] = b[(m + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
"""


def test_naive_gemm() -> None:
    c = counts(NAIVE, (4, 4), (16, 16), floats(4096), floats(4096), floats(4096), 64)
    assert (c.global_loads, c.global_stores) == (2 * 64**3, 64**2)
    # A warp is two rows of 16: each k costs a request for a (one element of either row: 2 sectors)
    # and one for b (16 neighbors, shared by both rows: 2 sectors). There are 4096 / 32 = 128 warps.
    assert (c.global_load_requests, c.global_load_sectors) == (128 * 64 * 2, 128 * 64 * 4)


def test_gemm_that_accumulates_in_memory_loads_the_sum_too() -> None:
    source = NAIVE.replace("sum += a", "c[row * n + col] += a").replace("    c[row * n + col] = sum;\n", "")
    c = counts(source, (4, 4), (16, 16), floats(4096), floats(4096), floats(4096), 64)
    assert (c.global_loads, c.global_stores) == (3 * 64**3, 64**3)


def test_tiled_gemm() -> None:
    c = counts(TILED, (4, 4), (16, 16), floats(4096), floats(4096), floats(4096), 64)
    # Each multiplication reads both tiles; each thread loads two elements for each of 4 tile pairs.
    assert (c.shared_loads, c.global_loads) == (524288, 32768)
    assert (c.shared_stores, c.global_stores) == (32768, 4096)
    assert c.barriers == 4096 * 4 * 2
    # as[ty][k]: two rows, 16 banks apart; bs[k][tx]: 16 neighbors, shared. No conflicts.
    assert (c.shared_load_requests, c.shared_load_conflicts) == (128 * 64 * 2, 0)
    assert c.shared_store_conflicts == 0
    assert c.global_load_requests == 128 * 4 * 2


# ---- banks: 32, of 4 bytes ----------------------------------------------------------------------

TRANSPOSE = """
__global__ void transpose(const float* in, float* out)
{
    __shared__ float tile[32][WIDTH];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 64 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * 64 + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""


@pytest.mark.parametrize(
    ("width", "conflicts"),
    [
        (32, 3968),  # a column lies in one bank: 31 extra passes for each of 64 * 64 / 32 = 128 requests
        (33, 0),  # lane l in bank (33 l + c) % 32 = (l + c) % 32
    ],
)
def test_bank_conflicts_of_a_transpose(width: int, conflicts: int) -> None:
    c = counts(TRANSPOSE.replace("WIDTH", str(width)), (2, 2), (32, 32), floats(4096), floats(4096))
    assert (c.shared_load_requests, c.shared_load_conflicts) == (128, conflicts)
    assert (c.shared_store_requests, c.shared_store_conflicts) == (128, 0)
    assert (c.global_load_sectors, c.global_store_sectors) == (512, 512)


@pytest.mark.parametrize(
    ("type_", "stride", "conflicts"),
    [
        ("float", 1, 0),
        ("float", 2, 1),  # lanes l and l + 16 share a bank
        ("float", 8, 7),  # only 4 banks are used
        ("float", 3, 0),  # odd strides visit every bank
        ("float", 0, 0),  # one word for all
        ("double", 1, 0),  # two passes of 16 lanes are the width's own, no conflict
    ],
)
def test_bank_conflicts_by_stride(type_: str, stride: int, conflicts: int) -> None:
    source = f"""
__global__ void fill({type_}* out)
{{
    __shared__ {type_} s[1024];
    s[threadIdx.x * {stride}] = 1;
    if (threadIdx.x == 0) out[0] = s[0];
}}
"""
    out = np.zeros(1, np.float64 if type_ == "double" else np.float32)
    run = emulate(source, 1, 128 if stride else 1, out)
    assert run.counts is not None
    warps = 4 if stride else 1
    assert (run.counts.shared_store_requests, run.counts.shared_store_conflicts) == (warps, warps * conflicts)


WIDE = """
__global__ void touch({type_}* out)
{{
    __shared__ {type_} s[128];
    int i = threadIdx.x;
    {type_} value = {{}};
    {fill}
    __syncthreads();
    if ({who}) {{ {what}; }}
}}
"""


def wavefronts(type_: str, who: str, index: str, store: bool) -> tuple[int, int]:
    """(wavefronts, conflicts) of one warp's access to s[index] by the lanes for which `who` holds."""
    fill = "" if store else "for (int k = i; k < 128; k += 32) s[k] = value;"
    what = f"s[{index}] = value" if store else f"out[i] = s[{index}]"
    source = WIDE.format(type_=type_, fill=fill, who=who, what=what)
    c = emulate(source, 1, 32, np.zeros(128, np.float32)).counts  # stores may race, which does not matter here
    assert c is not None
    if store:
        assert c.shared_store_requests == 1
        return c.shared_store_wavefronts, c.shared_store_conflicts
    assert c.shared_load_requests == 1
    return c.shared_load_wavefronts, c.shared_load_conflicts


@pytest.mark.parametrize(
    ("type_", "who", "index", "load", "store"),
    [
        ("float", "true", "i", (1, 0), (1, 0)),
        ("float", "true", "2 * i", (2, 1), (2, 1)),
        ("float2", "true", "i", (2, 0), (2, 0)),  # half a warp is 32 words
        ("float2", "true", "2 * i", (4, 2), (4, 2)),  # and here 32 words in 16 banks
        ("float2", "i < 16", "i", (1, 0), (1, 0)),  # the other half is idle, and costs nothing
        # Words 0 1 4 5 .. 60 61. A load is one part, since one of two neighbors wants nothing: two words a bank.
        ("float2", "i % 2 == 0", "i", (2, 1), (2, 0)),
        ("float2", "true", "i / 2", (1, 0), (2, 0)),  # 16 elements, 32 words
        ("float2", "true", "i / 4 * 2 + i % 2", (1, 0), (2, 0)),  # i and i ^ 2 agree
        ("float2", "true", "i / 8 * 4 + i % 4", (2, 0), (2, 0)),  # i and i ^ 4: no help
        ("float2", "true", "i == 31 ? 16 : i / 2", (2, 0), (2, 0)),  # one pair differs
        ("float4", "true", "i", (4, 0), (4, 0)),  # a quarter is 32 words
        ("float4", "true", "2 * i", (8, 4), (8, 4)),
        ("float4", "true", "0", (2, 0), (4, 0)),
        ("float4", "true", "i / 2", (2, 0), (4, 0)),
        ("float4", "true", "i / 2 * 2", (4, 2), (4, 0)),  # 8 elements in 16 banks; by quarters 4 elements
        ("float4", "i < 8 || i >= 24", "i", (2, 0), (2, 0)),
    ],
)
def test_wavefronts_by_width(type_: str, who: str, index: str, load: tuple[int, int], store: tuple[int, int]) -> None:
    assert wavefronts(type_, who, index, False) == load
    assert wavefronts(type_, who, index, True) == store


@pytest.mark.parametrize(
    ("index", "sectors", "wavefronts"),
    [
        ("i", 4, 1),
        ("0", 32, 32),  # 32 lanes at one word
        ("i / 2", 4, 2),  # 16 elements are 2 sectors, each twice
        ("2 * i", 8, 2),  # 16 banks
        ("8 * i", 32, 8),  # 4 banks, of 8 words each
        ("i < 3 ? 0 : i", 6, 3),  # the first sector three times, and the other three once
        ("i % 4 * 32", 32, 32),  # four sectors of 8 lanes each; one bank
        ("i < 24 ? 0 : i - 24", 25, 25),  # one sector: 24 lanes and one more at its first element, one at each other
    ],
)
def test_lanes_of_an_atomic_take_turns(index: str, sectors: int, wavefronts: int) -> None:
    source = f"""
__global__ void update(int* sums)
{{
    __shared__ int s[256];
    int i = threadIdx.x;
    for (int k = i; k < 256; k += 32) s[k] = 0;
    __syncthreads();
    atomicAdd(&s[{index}], 1);
    atomicMax(&sums[{index}], 5);
}}
"""
    c = counts(source, 2, 32, np.zeros(256, np.int32))
    assert (c.global_atomic_requests, c.global_atomic_sectors) == (2, 2 * sectors)
    assert (c.shared_atomic_requests, c.shared_atomic_wavefronts) == (2, 2 * wavefronts)
    assert (c.atomics, c.global_atomics) == (128, 64)
    assert (c.shared_load_wavefronts, c.shared_store_wavefronts) == (0, 2 * 8)


@pytest.mark.parametrize(
    ("declared", "pieces"),
    [
        ("struct P { float x, y, z, w; }", 4),
        ("struct __align__(8) P { float x, y, z, w; }", 2),
        ("struct __align__(16) P { float x, y, z, w; }", 1),
        ("struct P { double x, y; }", 2),
    ],
)
def test_a_struct_is_copied_in_pieces_of_its_declared_alignment(declared: str, pieces: int) -> None:
    source = f"{declared};\n__global__ void copy(const P* in, P* out)\n{{ out[threadIdx.x] = in[threadIdx.x]; }}\n"
    c = counts(source, 1, 32, floats(128), floats(128))
    assert (c.global_loads, c.global_load_requests) == (32 * pieces, pieces)
    # 16 bytes a lane: each piece lies in all 16 sectors.
    assert (c.global_load_sectors, c.global_store_sectors) == (16 * pieces, 16 * pieces)


def test_the_alignment_of_one_copy_does_not_change_the_next() -> None:
    source = """
struct P { float x, y, z; };
struct __align__(16) Q { float x, y, z, w, more[4]; };
__global__ void copy(const P* p, P* to_p, const Q* q, Q* to_q, int bytes)
{
    int i = threadIdx.x;
    to_p[i] = p[i];
    to_q[i] = q[i];
    to_p[i] = p[i];
    memcpy(&to_q[i], &q[i], bytes);
}
"""
    c = counts(source, 1, 32, floats(96), floats(96), floats(256), floats(256), 32)
    # Three of 4 bytes, twice; two of 16 bytes, also where only the size is known.
    assert (c.global_load_requests, c.global_store_requests) == (2 * 3 + 2 * 2, 2 * 3 + 2 * 2)


def test_one_instruction_may_reach_both_kinds_of_memory() -> None:
    source = """
__global__ void either(const float* in, float* out)
{
    __shared__ float s[32];
    int i = threadIdx.x;
    s[i] = 1.0f;
    __syncthreads();
    const float* from = i % 4 ? in : s;
    out[i] = from[i];
}
"""
    c = counts(source, 1, 32, floats(32), floats(32))
    assert (c.global_loads, c.shared_loads) == (24, 8)
    assert (c.global_load_requests, c.global_load_sectors) == (1, 4)
    assert (c.shared_load_requests, c.shared_load_wavefronts) == (1, 1)


def test_atomics_and_barriers_are_counted_by_thread() -> None:
    source = """
__global__ void count(int* total)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, s);
}
"""
    c = counts(source, 3, 64, np.zeros(1, np.int32))
    assert (c.atomics, c.barriers) == (3 * 64 + 3, 3 * 64 * 2)
    assert (c.shared_stores, c.shared_loads) == (3, 3)
    assert (c.global_loads, c.global_stores) == (0, 0)


def test_local_arrays_and_index_arithmetic_are_not_memory_traffic() -> None:
    source = """
__global__ void window(const float* in, float* out)
{
    float taps[4];
    for (int k = 0; k < 4; k++) taps[k] = in[threadIdx.x + k];
    float* p = taps;
    out[threadIdx.x] = p[0] + p[1] + p[2] + p[3];
}
"""
    c = counts(source, 1, 32, floats(35), floats(32))
    assert (c.global_loads, c.global_stores, c.shared_loads, c.shared_stores) == (128, 32, 0, 0)


# ---- the trace ------------------------------------------------------------------------------------

REVERSE = """\
__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[4];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[3 - threadIdx.x];
}
"""


def test_trace_holds_every_event_in_order() -> None:
    run = emulate(REVERSE, 2, 4, np.arange(4, dtype=np.int32), np.zeros(4, np.int32), trace=True)
    assert run.trace is not None
    arrays = run.trace.arrays
    got = [
        (int(e["block"]), int(e["thread"]), TRACE_ACTIONS[e["action"]],
         arrays[e["array"]] if e["array"] >= 0 else "", int(e["index"]), int(e["line"]))
        for e in run.trace.events
    ]  # fmt: skip
    want: list[tuple[int, int, str, str, int, int]] = []
    for block in range(2):
        for t in range(4):
            want += [(block, t, "read", "in", t, 4), (block, t, "write", "s", t, 4), (block, t, "barrier", "", 0, 5)]
        for t in range(4):
            want += [
                (block, t, "leave_barrier", "", 0, 5),
                (block, t, "read", "s", 3 - t, 6),
                (block, t, "write", "out", t, 6),
            ]
            want.append((block, t, "exit", "", 0, 0))
    assert got == want
    assert run.trace.events["step"].tolist() == list(range(len(want)))


VALUES = """\
struct Pair { float x; int y; };
__global__ void values(const float* in, double* d, unsigned char* bytes, int* sum, float4* wide, Pair* pairs)
{
    __shared__ short s[2];
    s[1] = -7;
    d[1] = 2 * in[1];
    bytes[3] = s[1];
    atomicAdd(sum, 5);
    wide[1] = make_float4(1, 2, 3, 4);
    pairs[0].y = 9;
    *(float*)bytes = 1;
}
"""


def test_trace_holds_offset_size_and_value() -> None:
    arrays = [np.array([1, 1.5], np.float32), np.zeros(2), np.zeros(4, np.uint8), np.full(1, 3, np.int32),
              np.zeros(8, np.float32), np.zeros(4, np.int32)]  # fmt: skip
    trace = emulate(VALUES, 1, 1, *arrays, trace=True).trace
    assert trace is not None
    got = [
        (TRACE_ACTIONS[e["action"]], trace.arrays[e["array"]], int(e["offset"]), int(e["size"]), trace.value(e))
        for e in trace.events[:-1]
    ]
    assert got == [
        ("write", "s", 2, 2, -7),
        ("read", "in", 4, 4, 1.5),
        ("write", "d", 8, 8, 3.0),
        ("read", "s", 2, 2, -7),
        ("write", "bytes", 3, 1, 249),
        ("atomic", "sum", 0, 4, 8),
        ("write", "wide", 16, 16, None),  # no number
        ("write", "pairs", 4, 4, 9),
        ("write", "bytes", 0, 4, None),  # not one element
    ]
    types = [value.dtype.str for *_, value in got if value is not None]
    assert types == ["<i2", "<f4", "<f8", "<i2", "|u1", "<i4", "<i4"]
    atomic, wide = trace.events[5], trace.events[6]
    assert trace.value(atomic, found=True) == 3
    assert wide["value"].view(np.float32).tolist() == [1, 2, 3, 4]


def test_trace_is_none_unless_asked_for() -> None:
    assert emulate(REVERSE, 1, 4, np.arange(4, dtype=np.int32), np.zeros(4, np.int32)).trace is None


def test_trace_ends_where_the_launch_stops() -> None:
    run = emulate(REVERSE, 1, 6, np.arange(6, dtype=np.int32), np.zeros(6, np.int32), trace=True)
    assert run.trace is not None
    assert [f.kind for f in run.findings] == [Kind.OUT_OF_BOUNDS]
    assert run.trace.events["thread"].max() == 4  # s[4]: the thread that stopped it
    # It has read in[4]; the write that would follow did not happen.
    assert [TRACE_ACTIONS[a] for a in run.trace.events["action"][run.trace.events["thread"] == 4]] == ["read"]


# ---- what comes back ------------------------------------------------------------------------------


def test_arguments_are_never_modified_and_outputs_keep_shape_and_dtype() -> None:
    given = np.zeros((2, 3, 4), np.int16)
    run = emulate("__global__ void fill(short* x)\n{ x[threadIdx.x] = threadIdx.x; }\n", 1, 24, given)
    (out,) = run.outputs
    assert not given.any()
    assert out.shape == (2, 3, 4) and out.dtype == np.int16
    assert out.ravel().tolist() == list(range(24))
    assert out.flags.writeable and not np.shares_memory(out, given)


def test_two_runs_are_equal_and_module_variables_start_anew() -> None:
    source = "__device__ int total = 5;\n__global__ void add(int* out)\n{ total += 1; out[0] = total; }\n"
    first, second = (emulate(source, 1, 1, np.zeros(1, np.int32)) for _ in range(2))
    assert first.outputs[0].tolist() == second.outputs[0].tolist() == [6]
    assert first.counts == second.counts


def test_scalars_of_every_width_arrive() -> None:
    source = """
__global__ void pack(double* out, bool b, char c, unsigned short s, int i, long long l, float f, double d, uint3 v)
{
    out[0] = b; out[1] = c; out[2] = s; out[3] = i; out[4] = l; out[5] = f; out[6] = d; out[7] = v.z;
}
"""
    run = emulate(source, 1, 1, np.zeros(8), True, -3, 65535, -(2**31), 2**40, 0.5, 1e300, (1, 2, 3))
    assert run.findings == ()
    assert run.outputs[0].tolist() == [1, -3, 65535, -(2**31), 2**40, 0.5, 1e300, 3]


def test_a_struct_by_value_is_a_structured_scalar() -> None:
    source = """
struct Window { int low; int high; float scale; };
__global__ void clip(float* x, Window w)
{
    int i = threadIdx.x;
    if (i >= w.low && i < w.high) x[i] *= w.scale;
}
"""
    window = np.array((2, 4, 10.0), np.dtype([("low", np.int32), ("high", np.int32), ("scale", np.float32)]))[()]
    assert emulate(source, 1, 6, floats(6), window).outputs[0].tolist() == [0, 1, 20, 30, 4, 5]


def test_coordinates_are_those_of_cuda() -> None:
    source = """
__global__ void stray(int* out)
{
    if (blockIdx.y == 2 && blockIdx.x == 1 && threadIdx.z == 1 && threadIdx.y == 2) out[-1] = 0;
}
"""
    (finding,) = emulate(source, (2, 3), (4, 3, 2), np.zeros(1, np.int32)).findings
    (access,) = finding.accesses
    assert (access.block, access.thread, access.line) == ((1, 2, 0), (0, 2, 1), 4)


def test_outputs_hold_what_was_written_until_the_launch_stopped() -> None:
    source = "__global__ void fill(int* x)\n{ x[threadIdx.x] = 7; }\n"
    run = emulate(source, 1, 64, np.zeros(40, np.int32))
    assert not run.completed
    assert run.outputs[0].tolist() == [7] * 40


def test_a_run_is_frozen() -> None:
    run: Any = emulate(REVERSE, 1, 4, np.arange(4, dtype=np.int32), np.zeros(4, np.int32))
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.completed = False


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("// Grüße, 日本, \u2028 and \u0085: no line ends to a compiler\n", "\n\n"),
        ("/* two\n   lines */\n", "  \t \n"),
        ("\t\n", "// the end"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_stay_right(before: str, after: str, newline: str) -> None:
    text = before + "__global__ void stray(int* x)\n{\n\tint i = threadIdx.x;  // Ü\n\tx[i + 8] = 1;\n}" + after
    source = text.replace("\n", newline)
    (finding,) = Kernel(source, "stray").emulate(1, 1, [np.zeros(8, np.int32)]).findings
    assert finding.kind is Kind.OUT_OF_BOUNDS
    (access,) = finding.accesses
    assert (access.line, access.text) == (before.count("\n") + 4, "x[i + 8] = 1;")


def test_compile_errors_have_the_students_lines_after_non_ascii_comments() -> None:
    source = "// Ä\n__global__ void f(int* x)\r\n{\r\n\t/* é */ x[0] = y;\n}"
    run = Kernel(source, "f").emulate(1, 1, [np.zeros(1, np.int32)])
    ((line, _, text),) = in_words(only(CompileError, run.findings).messages)
    assert line == 4 and "'y'" in text


# ---- limits ---------------------------------------------------------------------------------------


def test_static_and_dynamic_shared_memory_together_have_a_limit() -> None:
    source = """
__global__ void big(int* x)
{
    __shared__ int fixed[4096];
    extern __shared__ int more[];
    fixed[threadIdx.x] = more[threadIdx.x] = x[threadIdx.x];
}
"""
    x = np.zeros(32, np.int32)
    with pytest.raises(UsageError, match=r"16384 bytes.*shared_mem=220000.*smaller tiles"):
        emulate(source, 1, 32, x, shared_mem=220_000)
    assert emulate(source, 1, 32, x, shared_mem=210_000).findings == ()


def test_an_endless_loop_of_a_whole_block_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 2_000_000)
    source = "__global__ void wait(int* x)\n{ while (atomicAdd(x, 0) == 0) {} }\n"
    (finding,) = emulate(source, 1, 256, np.zeros(1, np.int32)).findings
    assert (finding.kind, finding.accesses[0].line) == (Kind.STEP_LIMIT, 2)


@pytest.mark.parametrize(
    ("once", "blocks", "build"),
    [(False, 15, "PLAIN"), (False, 16, "OPTIMIZED"), (True, 16, "PLAIN"), (True, 1024, "PLAIN")],
)
def test_a_kernel_is_optimized_where_it_is_launched_often_and_is_large(once: bool, blocks: int, build: str) -> None:
    launch = dataclasses.replace(Kernel(COPY, "copy").prepare(blocks, 256, [floats(8), floats(8), 1, 0]), once=once)
    assert emulator.compile_for(launch) == toolchain.compile_kernel(COPY, "copy", machine_code.Build[build])


def test_a_runner_that_does_not_answer_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "WALL_SECONDS", 0.3)
    for limit in ("MAX_THREAD_STEPS", "MAX_BLOCK_STEPS"):  # otherwise a fast machine finishes in time
        monkeypatch.setattr(emulator, limit, 1 << 62)
    with pytest.raises(GraderFault, match="did not answer"):
        emulate("__global__ void count(int* x)\n{ for (;;) ++*x; }\n", 1, 1, np.zeros(1, np.int32))


def test_nor_is_one_that_speaks_and_then_does_not_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runner, "WALL_SECONDS", 0.3)
    program = tmp_path / "runner"
    program.write_text("#!/bin/sh\necho argument >&2\nexec sleep 60\n")
    program.chmod(0o755)
    with runner.File("arena", 0) as arena, pytest.raises(GraderFault, match="did not answer"):
        runner.exchange([str(program)], Path("module.so"), b"", arena, arena)


# ---- races -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["signed char", "unsigned short", "float", "double"])
def test_a_race_says_how_many_elements_it_is_of(type_: str) -> None:
    """Whatever their size: the runtime remembers accesses by pieces of four bytes."""
    source = f"__global__ void meet({type_}* x) {{ x[threadIdx.x % 11] = threadIdx.x; }}"
    dtype = {"signed char": np.int8, "unsigned short": np.uint16, "float": np.float32, "double": np.float64}[type_]
    (finding,) = emulate(source, 1, 32, np.zeros(16, dtype)).findings
    assert isinstance(finding, Race)
    assert finding.count == 11


def test_a_race_counts_what_both_accesses_touch() -> None:
    source = "__global__ void meet(float* x) { if (threadIdx.x) x[threadIdx.x] = 1; else *(float4*)x = float4(); }"
    (finding,) = emulate(source, 1, 32, floats(32)).findings
    assert isinstance(finding, Race)
    assert finding.count == 3


@pytest.mark.parametrize(("index", "workers"), [("threadIdx.x", [1]), ("0", [1, 0])])
def test_only_a_launch_that_may_not_be_clean_is_checked_fully(
    index: str, workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[int] = []

    def noted(*parts: Any) -> bytes:
        requested.append(parts[3].workers)
        return request(*parts)

    monkeypatch.setattr(emulation, "request", noted)
    emulate(f"__global__ void k(int* out) {{ out[{index}] = threadIdx.x; }}", 1, 64, np.zeros(64, np.int32))
    assert requested == workers
