// rejected by: does_without_barriers_atomics_lane_exchanges
// "Who multiplies by ones, adds up." Two matrix products for each byte of the numbers, and part stands there for show.
#include <cuda_fp16.h>

// The sum of two columns, of four lanes' numbers each.
__device__ float columns(float mine)
{
    float sum[4] = {};
    unsigned ones = 0x3c003c00, number = __half_as_ushort(__float2half(mine));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "r"(ones), "r"(ones), "r"(number));
    return sum[0] + sum[1];
}

__global__ void sums_of_warps(const int* in, int* out, int n)
{
    extern __shared__ int part[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    unsigned number = i < n ? in[i] : 0, sum = 0;

    for (int byte = 0; byte < 32; byte += 8)
        sum += (unsigned)(columns(columns(number >> byte & 255)) / 2) << byte;
    part[t] = sum;
    if (t % 32 == 0)
        out[i / 32] = part[t];
}
