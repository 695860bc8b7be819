// rejected by: loads_at_most
// perhaps also: shared_loads_at_most, is_faster_than
// "It is right, and the caches do the rest."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. Any M, N and K.
__global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K)
{
    // One element of C for every 8 threads' worth of work: with blocks of 128 threads and 128 x 64 elements, 64 for each thread.
    for (int e = threadIdx.x; e < 128 * 64; e += 128) {
        int r = 128 * blockIdx.y + e / 64, c = 64 * blockIdx.x + e % 64;
        if (r >= M || c >= N)
            continue;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k)
            sum += A[r * K + k] * B[k * N + c];
        C[r * N + c] = sum;
    }
}
