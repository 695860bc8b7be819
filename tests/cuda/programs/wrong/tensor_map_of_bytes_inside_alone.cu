// finds: StepLimit, line 56
// says: whose phase has received 512 bytes too many
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
constexpr int ROWS = 40, COLS = 48, SIDE = 16;

__device__ unsigned place(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

__global__ void twice(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int rows)
{
    __shared__ alignas(128) float tile[SIDE][SIDE];
    __shared__ unsigned long long full;
    int row = blockIdx.y * SIDE, col = blockIdx.x * SIDE, t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(place(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    unsigned to = place(tile), bar = place(&full), bytes = (rows - row < SIDE ? rows - row : SIDE) * SIDE * 4, open = 0;
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(bar), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :: "r"(to), "l"(&in), "r"(col), "r"(row), "r"(bar) : "memory");
    }
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }" : "=r"(open) : "r"(bar) : "memory");
    tile[t / SIDE][t % SIDE] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" :: "l"(&out), "r"(col), "r"(row), "r"(to) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

int main()
{
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    float *in, *out;
    cudaMalloc(&in, ROWS * COLS * 4), cudaMalloc(&out, ROWS * COLS * 4);
    cudaMemset(in, 0, ROWS * COLS * 4);
    CUtensorMap maps[2];
    for (int k = 0; k < 2; k++) {
        cuuint64_t extents[] = {COLS, ROWS}, strides[] = {COLS * 4};
        cuuint32_t box[] = {SIDE, SIDE}, steps[] = {1, 1};
        ((Encode)function)(&maps[k], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, k ? out : in, extents, strides, box, steps,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    }
    twice<<<dim3((COLS + SIDE - 1) / SIDE, (ROWS + SIDE - 1) / SIDE), SIDE * SIDE>>>(maps[0], maps[1], ROWS);
    printf("%d\n", cudaDeviceSynchronize());
    cudaFree(in), cudaFree(out);
}
