// prints: 0 wrong
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

// Tiles of tensors with 1 to 5 dimensions, elements of 1 to 8 bytes and all swizzles, also across the edges, where there are
// zeros. Along the first axis they begin at multiples of 16 bytes: a GPU ends the launch at any other place.
using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
struct Place { int at[5]; };

__device__ unsigned place(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

#define LOAD "cp.async.bulk.tensor."
#define MORE "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
template <int RANK>
__global__ void load(const __grid_constant__ CUtensorMap map, Place p, unsigned char* out, int bytes)
{
    extern __shared__ __align__(1024) unsigned char tile[];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(place(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(place(&full)), "r"(bytes) : "memory");
        unsigned to = place(tile), bar = place(&full);
        const CUtensorMap* m = &map;
        int a = p.at[0], b = p.at[1], c = p.at[2], d = p.at[3], e = p.at[4];
        if (RANK == 1) asm volatile(LOAD "1" MORE "{%2}], [%3];" :: "r"(to), "l"(m), "r"(a), "r"(bar) : "memory");
        if (RANK == 2) asm volatile(LOAD "2" MORE "{%2, %3}], [%4];" :: "r"(to), "l"(m), "r"(a), "r"(b), "r"(bar) : "memory");
        if (RANK == 3) asm volatile(LOAD "3" MORE "{%2, %3, %4}], [%5];" :: "r"(to), "l"(m), "r"(a), "r"(b), "r"(c), "r"(bar) : "memory");
        if (RANK == 4) asm volatile(LOAD "4" MORE "{%2, %3, %4, %5}], [%6];" :: "r"(to), "l"(m), "r"(a), "r"(b), "r"(c), "r"(d), "r"(bar) : "memory");
        if (RANK == 5) asm volatile(LOAD "5" MORE "{%2, %3, %4, %5, %6}], [%7];" :: "r"(to), "l"(m), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(bar) : "memory");
    }
    __syncthreads();
    int open = 0;
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(place(&full)) : "memory");
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
}

int main()
{
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    auto encode = (Encode)function;
    const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
                                         CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64};
    int wrong = 0;
    for (int rank = 1; rank <= 5; rank++)
        for (int type = 0; type < 4; type++)
            for (int swizzle = 0; swizzle < 4; swizzle++) {
                const int size = 1 << type, span = 16 << (swizzle ? swizzle : 2), row = span / size, aside = 16 / size;
                cuuint64_t extents[5], strides[5];
                cuuint32_t box[5], steps[5] = {1, 1, 1, 1, 1};
                size_t bytes = size;
                int tile_bytes = size;
                Place p;
                for (int k = 0; k < 5; k++) {
                    extents[k] = k >= rank ? 1 : k == 0 ? 2 * row : 5 + k;
                    box[k] = k >= rank ? 1 : k == 0 ? row : k == 1 ? 4 : 2;
                    p.at[k] = k >= rank ? 0 : k == 0 ? row + (type % 2 ? aside : -aside) - row * (swizzle % 2) : k == 1 ? -1 : int(extents[k]) - 1;
                    bytes *= extents[k], tile_bytes *= box[k];
                    if (k) strides[k - 1] = bytes / extents[k];
                }
                std::vector<unsigned char> values(bytes), got(tile_bytes), want(tile_bytes);
                for (size_t i = 0; i < bytes; i++) values[i] = 1 + i % 251;
                unsigned char *in, *out;
                cudaMalloc(&in, bytes), cudaMalloc(&out, tile_bytes);
                cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
                CUtensorMap map;
                if (encode(&map, types[type], rank, in, extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CUtensorMapSwizzle(swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
                    wrong += 1000000;
                if (rank == 1) load<1><<<1, 64, tile_bytes>>>(map, p, out, tile_bytes);
                if (rank == 2) load<2><<<1, 64, tile_bytes>>>(map, p, out, tile_bytes);
                if (rank == 3) load<3><<<1, 64, tile_bytes>>>(map, p, out, tile_bytes);
                if (rank == 4) load<4><<<1, 64, tile_bytes>>>(map, p, out, tile_bytes);
                if (rank == 5) load<5><<<1, 64, tile_bytes>>>(map, p, out, tile_bytes);
                cudaMemcpy(got.data(), out, tile_bytes, cudaMemcpyDeviceToHost);
                for (int i = 0; i < tile_bytes / size; i++) {
                    bool inside = true;
                    size_t from = 0, pitch = size;
                    for (int k = 0, left = i; k < rank; left /= box[k++]) {
                        long at = p.at[k] + left % (int)box[k];
                        inside &= at >= 0 && at < (long)extents[k];
                        from += at * pitch, pitch *= extents[k];
                    }
                    int to = i * size;
                    if (swizzle) to ^= (to >> 7 & ((1 << swizzle) - 1)) << 4;
                    if (inside) memcpy(&want[to], &values[from], size);
                }
                wrong += got != want;
                cudaFree(in), cudaFree(out);
            }
    printf("%d wrong\n", wrong);
}
