// rejected by: has_no_races
// perhaps also: matches_numpy, reads_only_what_was_written, loads_at_most, is_faster_than
// "Who has waited for the copies need not wait at a barrier." It has waited for its own copies only.
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row; K and N are multiples of 4.
// A block of 128 threads computes 64 x 64 elements of C.

#include <cuda_pipeline.h>

// One tile of A, turned (a[k][row]), and one of B (b[k][column]). 68: see the chapter; it keeps put() free of bank conflicts.
struct __align__(16) Tiles {
    float a[8][68];
    float b[8][64];
};

// Four neighbors in a row of a matrix, or zeros where there are none.
__device__ float4 fetch(const float* matrix, int row, int col, int rows, int cols)
{
    float4 zeros = {};
    return row < rows && col < cols ? *(const float4*)(matrix + row * cols + col) : zeros;
}

// Thread t puts four elements of A and four of B into the tiles.
__device__ void put(Tiles& tiles, int t, float4 a, float4 b)
{
    int col = 4 * (t % 2);
    tiles.a[col][t / 2] = a.x;
    tiles.a[col + 1][t / 2] = a.y;
    tiles.a[col + 2][t / 2] = a.z;
    tiles.a[col + 3][t / 2] = a.w;
    *(float4*)&tiles.b[t / 16][t % 16 * 4] = b;
}

// Adds to thread t's 8 x 4 sums the products of one phase.
__device__ void multiply(const Tiles& tiles, int t, float (&sum)[8][4])
{
    // Unrolled by 4, not by 8: a loop must remain, or else NVIDIA's compiler moves loads that stand before it to its end.
    #pragma unroll 4
    for (int k = 0; k < 8; ++k) {
        __align__(16) float a[8], b[4];
        *(float4*)&a[0] = *(const float4*)&tiles.a[k][t / 16 * 8];
        *(float4*)&a[4] = *(const float4*)&tiles.a[k][t / 16 * 8 + 4];
        *(float4*)&b[0] = *(const float4*)&tiles.b[k][t % 16 * 4];
        #pragma unroll
        for (int n = 0; n < 32; ++n)
            sum[n / 4][n % 4] += a[n / 4] * b[n % 4];
    }
}

// Thread t begins to copy four elements of A, one by one since they are turned, and four of B.
__device__ void begin_copy(Tiles& tiles, int t, const float* A, const float* B, int a_row, int a_col, int b_row, int b_col, int M, int N, int K)
{
    for (int e = 0; e < 4; ++e)
        if (a_row < M && a_col < K)
            __pipeline_memcpy_async(&tiles.a[t % 2 * 4 + e][t / 2], A + a_row * K + a_col + e, 4);
        else
            tiles.a[t % 2 * 4 + e][t / 2] = 0.0f;
    if (b_row < K && b_col < N)
        __pipeline_memcpy_async(&tiles.b[t / 16][t % 16 * 4], B + b_row * N + b_col, 16);
    else
        *(float4*)&tiles.b[t / 16][t % 16 * 4] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __pipeline_commit();
}

__global__ void gemm_double_buffered(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ Tiles tiles[2];
    int t = threadIdx.x;
    int top = 64 * blockIdx.y, left = 64 * blockIdx.x;          // where the block's part of C begins
    int a_row = top + t / 2, a_col = t % 2 * 4;                 // in the first phase, this thread fetches A[a_row][a_col]
    int b_row = t / 16, b_col = left + t % 16 * 4;              // and B[b_row][b_col], each with three neighbors
    float sum[8][4] = {};

    // The phases, with two buffers and one barrier for each phase.
    begin_copy(tiles[0], t, A, B, a_row, a_col, b_row, b_col, M, N, K);
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int start = 0, now = 0; start < K; start += 8, now = 1 - now) {
        begin_copy(tiles[1 - now], t, A, B, a_row, start + 8 + a_col, start + 8 + b_row, b_col, M, N, K);
        multiply(tiles[now], t, sum);
        __pipeline_wait_prior(0);
    }

    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        int r = top + t / 16 * 8 + i, c = left + t % 16 * 4;
        if (r < M && c < N)
            *(float4*)(C + r * N + c) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    }
}
