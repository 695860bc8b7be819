// finds: nothing; without barrier 1: Race
// launch: for swizzle in (0, 1): grid=1, block=32, args=[numbers("float16", 16, 64), zeros("uint32", 16, 32), swizzle]

#include <cuda_fp16.h>

// Where piece number `piece` of a row is kept: 8 halves of its 64.
__device__ int place(int row, int piece, bool swizzle)
{
    return 64 * row + 8 * (swizzle ? piece ^ row % 8 : piece);
}

// A warp puts 16 x 64 halves into a tile, and loads them, 16 x 16 at a time,
// into its lanes' fragments.
__global__ void load_rows(const half* in, unsigned* out, bool swizzle)
{
    __shared__ __align__(128) half tile[16 * 64];
    int lane = threadIdx.x;
    for (int i = lane; i < 16 * 8; i += 32)
        *(uint4*)&tile[place(i / 8, i % 8, swizzle)] = ((const uint4*)in)[i];
    __syncwarp();  // barrier 1: the tile is whole
    for (int step = 0; step < 4; ++step) {
        half* at = &tile[place(lane % 16, 2 * step + lane / 16, swizzle)];
        unsigned a[4], row = (unsigned)__cvta_generic_to_shared(at);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                     "{%0, %1, %2, %3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                     : "r"(row));
        for (int i = 0; i < 4; ++i) out[128 * step + 32 * i + lane] = a[i];
    }
}
