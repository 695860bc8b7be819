// prints: 0 wrong
#include <cstdio>
#include <vector>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

constexpr int ROWS = 50, COLS = 68, TR = 16, TC = 32;  // a tile's row: 128 bytes

__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned bar, unsigned parity)
{
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" :: "r"(bar), "r"(parity) : "memory");
}

// Adds one to each element, tile by tile.
template <bool SWIZZLED>
__global__ void add_one(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out)
{
    __shared__ alignas(1024) float tile[TR][TC];
    __shared__ alignas(8) unsigned long long bar;
    int row = blockIdx.y * TR, col = blockIdx.x * TC, t = threadIdx.x;
    if (t == 0) {
        asm volatile("prefetch.tensormap [%0];" :: "l"(&in) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(&bar)), "r"(1));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"((int)sizeof tile) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     :: "r"(at(tile)), "l"(&in), "r"(col), "r"(row), "r"(at(&bar)) : "memory");
    }
    __syncthreads();
    wait(at(&bar), 0);
    for (int i = t; i < TR * TC; i += blockDim.x) {
        int r = i / TC, c = i % TC;
        int s = SWIZZLED ? ((c / 4) ^ (r % 8)) * 4 + c % 4 : c;
        tile[r][s] += 1 + 1000 * r + 10 * c;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                     :: "l"(&out), "r"(col), "r"(row), "r"(at(tile)) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

int main()
{
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
    auto encode = (PFN_cuTensorMapEncodeTiled_v12000)entry;
    std::vector<float> a(ROWS * COLS), b(ROWS * COLS);
    for (int i = 0; i < ROWS * COLS; i++) a[i] = i;
    float *in, *out;
    cudaMalloc(&in, a.size() * 4), cudaMalloc(&out, a.size() * 4);
    cudaMemcpy(in, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int swizzled = 0; swizzled < 2; swizzled++) {
        cudaMemset(out, 0, a.size() * 4);
        CUtensorMap maps[2];
        for (int k = 0; k < 2; k++) {
            cuuint64_t extents[] = {COLS, ROWS}, strides[] = {COLS * 4};
            cuuint32_t box[] = {TC, TR}, steps[] = {1, 1};
            CUresult e = encode(&maps[k], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, k ? out : in, extents, strides, box, steps,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            if (e) { printf("error %d\n", e); return 1; }
        }
        dim3 grid((COLS + TC - 1) / TC, (ROWS + TR - 1) / TR);
        if (swizzled) add_one<true><<<grid, 128>>>(maps[0], maps[1]);
        else add_one<false><<<grid, 128>>>(maps[0], maps[1]);
        cudaMemcpy(b.data(), out, b.size() * 4, cudaMemcpyDeviceToHost);
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++)
                wrong += b[r * COLS + c] != a[r * COLS + c] + 1 + 1000 * (r % TR) + 10 * (c % TC);
    }
    printf("%d wrong\n", wrong);
    cudaFree(in), cudaFree(out);
}
