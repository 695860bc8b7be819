"""How fast tensor cores multiply if nothing else is to do, for measure_tensor.py."""

import re
from collections.abc import Iterator
from functools import partial

import cupy as cp
import numpy as np
from measuring import Row, Timer, compiled, random, summary
from places import KERNELS

#: `mma.sync` alone: eight products that do not wait for each other, again and again.
PEAK = r"""
extern "C" __global__ void __launch_bounds__(256) peak(const unsigned* in, float* out, int rounds)
{
    unsigned a[4], b[8][2];
    float sum[8][4] = {};
    for (int i = 0; i < 4; i++) a[i] = in[threadIdx.x + 256 * i];
    for (int i = 0; i < 16; i++) b[i / 2][i % 2] = in[threadIdx.x + 256 * (4 + i)];
    for (int k = 0; k < rounds; k++)
        #pragma unroll
        for (int i = 0; i < 8; i++)
            asm volatile("mma.sync.aligned.SHAPE.row.col.f32.TYPE.TYPE.f32 {%0, %1, %2, %3}, "
                         "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[i][0]), "r"(b[i][1]));
    float all = 0.0f;
    for (int i = 0; i < 8; i++) all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
    out[blockIdx.x * 256 + threadIdx.x] = all;
}
"""
MMA = (("f16", "m16n8k16"), ("bf16", "m16n8k16"), ("tf32", "m16n8k8"))
#: `wgmma` alone, behind the functions of a kernel of book/kernels/tensor_cores: four products, again and again, the
#: first factor 64 rows of 128 bytes for each warpgroup, the other 256 for both.
PEAK_OF_WARPGROUPS = r"""
extern "C" __global__ void __launch_bounds__(256) peak(const unsigned* in, float* out, int rounds)
{
    extern __shared__ __align__(1024) unsigned tile[];
    for (int i = threadIdx.x; i < 12288; i += blockDim.x) tile[i] = in[i % 6144];
    unsigned *other = tile + 4096, *first = tile + threadIdx.x / 128 * 2048, registers[4];
    for (int i = 0; i < 4; i++) registers[i] = in[threadIdx.x + 256 * i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float sum[32][4];
    for (int k = 0; k < rounds; k++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        #pragma unroll
        for (int step = 0; step < 4; step++) multiply(sum, FACTORS, k + step > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    float all = 0.0f;
    for (int i = 0; i < 32; i++) all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
    out[blockIdx.x * 256 + threadIdx.x] = all;
}
"""
WGMMA = (
    (
        "f16",
        "m64n256k16",
        "06_wgmma",
        "descriptor(first, 1024, 0) + 2 * step, descriptor(other, 1024, 8192) + 128 * step",
    ),
    ("tf32", "m64n256k8", "07_wgmma_tf32", "registers, descriptor(other, 1024) + 2 * step"),
)


def limits(timer: Timer) -> Iterator[Row]:
    for kind, shape in MMA:
        source = PEAK.replace("SHAPE", shape).replace("TYPE", kind)
        for warps in (1, 2, 4, 8, 16):
            yield _alone(timer, f"mma.sync {shape}", kind, source, warps, 20000)
    for kind, shape, file, both in WGMMA:
        text = (KERNELS / "tensor_cores" / f"{file}.cu").read_text()
        source = text[: text.index("// C = A B,")] + PEAK_OF_WARPGROUPS.replace("FACTORS", both)
        for warps in (4, 8, 16):
            yield _alone(timer, f"wgmma {shape}", kind, source, warps, 5000)


def _alone(timer: Timer, instruction: str, kind: str, source: str, warps: int, rounds: int) -> Row:
    """The rate of `peak` with so many warps on each SM. A round is eight products of a warp, or four of a warpgroup."""
    processors = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
    values = random(24, 256)
    if kind == "f16":
        values = random(24, 512).astype(cp.float16)
    elif kind == "bf16":
        values = (random(24, 512).view(cp.uint32) >> 16).astype(cp.uint16)
    _, peak = compiled(source, "peak")
    grid, block = (processors * max(1, warps // 8),), (32 * min(warps, 8),)
    args = (values.view(cp.uint32), cp.empty(256 * grid[0], cp.float32), np.int32(rounds))
    (times,) = timer.series(5, partial(peak, grid, block, args, shared_mem=49152 if "wgmma" in instruction else 0))
    m, n, k = map(int, re.findall(r"\d+", instruction))
    each = 8 if m == 16 else 1  # products of a round for each warp
    operations = 2 * m * n * k * each * rounds * warps * processors / 1e9
    return {
        "instruction": instruction,
        "type": kind,
        "warps_per_sm": warps,
        **summary(times),
        "tflops": f"{operations / np.median(times):.1f}",
    }
