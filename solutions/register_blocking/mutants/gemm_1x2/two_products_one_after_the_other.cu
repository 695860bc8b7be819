// rejected by: loads_at_most
// perhaps also: shared_loads_at_most, is_faster_than
// "First the left part, then the right one, as in the tiled kernel." The tiles of A are loaded twice.
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of m x m threads computes m rows and 2m columns of C.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float shared[];
    int m = blockDim.x;
    float* a_tile = shared;
    float* b_tile = shared + m * m;
    int x = threadIdx.x, y = threadIdx.y;
    int r = m * blockIdx.y + y;
    for (int half = 0; half < 2; ++half) {
        int c = 2 * m * blockIdx.x + half * m + x;
        float sum = 0.0f;
        for (int start = 0; start < K; start += m) {
            int ac = start + x, br = start + y;
            a_tile[y * m + x] = r < M && ac < K ? A[r * K + ac] : 0.0f;
            b_tile[y * m + x] = br < K && c < N ? B[br * N + c] : 0.0f;
            __syncthreads();
            for (int k = 0; k < m; ++k)
                sum += a_tile[y * m + k] * b_tile[k * m + x];
            __syncthreads();
        }
        if (r < M && c < N)
            C[r * N + c] = sum;
    }
}
