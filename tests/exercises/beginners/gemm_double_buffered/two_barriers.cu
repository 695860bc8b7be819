%%cuda gemm_double_buffered
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row; K and N are multiples of 4.
// A block of 128 threads computes 64 x 64 elements of C.

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

__global__ void gemm_double_buffered(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ Tiles tiles[2];
    int t = threadIdx.x;
    int top = 64 * blockIdx.y, left = 64 * blockIdx.x;          // where the block's part of C begins
    int a_row = top + t / 2, a_col = t % 2 * 4;                 // in the first phase, this thread fetches A[a_row][a_col]
    int b_row = t / 16, b_col = left + t % 16 * 4;              // and B[b_row][b_col], each with three neighbors
    float sum[8][4] = {};

    // The phases, with two buffers and one barrier for each phase.
    for (int start = 0; start < K; start += 8) {
        put(tiles[0], t, fetch(A, a_row, start + a_col, M, K), fetch(B, start + b_row, b_col, K, N));
        __syncthreads();
        multiply(tiles[0], t, sum);
        __syncthreads();
    }

    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        int r = top + t / 16 * 8 + i, c = left + t % 16 * 4;
        if (r < M && c < N)
            *(float4*)(C + r * N + c) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    }
}
