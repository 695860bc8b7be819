// rejected by: stays_in_bounds
// perhaps also: matches_numpy, has_no_races, is_faster_than
// "The sums are stored four at a time." Where N is odd, that is misaligned.
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. Any M, N and K.
#define TALL 128        // rows of C for each block
#define BROAD 64        // columns of C for each block
#define DEEP 8          // steps of one phase
#define THREADS 128     // 16 down and 8 across, each with 8 x 8 elements of C

// A stands in shared memory by columns, so that both sides of the product are read four neighbors at a time. With rows of
// 132 words the two halves of a warp, which store four columns apart, use different banks.
struct __align__(16) Stage {
    float a[DEEP][TALL + 4];
    float b[DEEP][BROAD];
};

// Four neighbors of a row: at once where all are inside and lie at a multiple of 16 bytes. Zeros for what is outside.
__device__ float4 take(const float* from, int row, int col, int rows, int cols)
{
    float4 four = {};
    if (row >= rows)
        return four;
    from += row * cols + col;
    if (cols % 4 == 0 && col < cols)
        return *(const float4*)from;
    if (col < cols) four.x = from[0];
    if (col + 1 < cols) four.y = from[1];
    if (col + 2 < cols) four.z = from[2];
    if (col + 3 < cols) four.w = from[3];
    return four;
}

__global__ void __launch_bounds__(THREADS, 4) sgemm(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ Stage stages[2];
    int t = threadIdx.x;
    int top = TALL * blockIdx.y, left = BROAD * blockIdx.x;
    int ar = t / 2, ac = t % 2 * 4;         // this thread takes rows ar and ar + 64 of A
    int br = t / 16, bc = t % 16 * 4;       // and row br of B
    int y = t / 8 * 4, x = t % 8 * 4;       // it computes rows y to y + 3 and the same 64 further, columns x to x + 3 and 32 further
    float sum[8][8] = {};
    float4 a_first, a_second, b_only;

    auto fetch = [&](int start) {
        a_first = take(A, top + ar, start + ac, M, K);
        a_second = take(A, top + ar + 64, start + ac, M, K);
        b_only = take(B, start + br, left + bc, K, N);
    };
    auto keep = [&](Stage& stage) {
        stage.a[ac][ar] = a_first.x;
        stage.a[ac + 1][ar] = a_first.y;
        stage.a[ac + 2][ar] = a_first.z;
        stage.a[ac + 3][ar] = a_first.w;
        stage.a[ac][ar + 64] = a_second.x;
        stage.a[ac + 1][ar + 64] = a_second.y;
        stage.a[ac + 2][ar + 64] = a_second.z;
        stage.a[ac + 3][ar + 64] = a_second.w;
        *(float4*)&stage.b[br][bc] = b_only;
    };

    fetch(0);
    keep(stages[0]);
    __syncthreads();    // the first stage must be full before anyone multiplies
    for (int start = 0, now = 0; start < K; start += DEEP, now = 1 - now) {
        fetch(start + DEEP);    // under way while we multiply
        #pragma unroll
        for (int k = 0; k < DEEP; ++k) {
            __align__(16) float a[8], b[8];
            *(float4*)&a[0] = *(const float4*)&stages[now].a[k][y];
            *(float4*)&a[4] = *(const float4*)&stages[now].a[k][y + 64];
            *(float4*)&b[0] = *(const float4*)&stages[now].b[k][x];
            *(float4*)&b[4] = *(const float4*)&stages[now].b[k][x + 32];
            #pragma unroll
            for (int n = 0; n < 64; ++n)
                sum[n / 8][n % 8] += a[n / 8] * b[n % 8];
        }
        keep(stages[1 - now]);
        __syncthreads();    // the other stage is full, and all are done with this one
    }

    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        int r = top + y + i % 4 + i / 4 * 64;
        #pragma unroll
        for (int j = 0; j < 8; j += 4) {
            int c = left + x + j * 8;
            if (r < M && c + 4 <= N)
                *(float4*)&C[r * N + c] = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
            else
                for (int e = 0; e < 4; ++e)
                    if (r < M && c + e < N)
                        C[r * N + c + e] = sum[i][j + e];
        }
    }
}
