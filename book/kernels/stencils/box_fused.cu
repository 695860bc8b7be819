// finds: nothing; without barrier 1: Race
// launch: for radius in (4, 1, 2, 8): grid=(2, 4), block=(32, 8), args=[numbers('float32', 32 + 2 * radius, 64 + 2 * radius), empty(32, 64), 64, radius], shared_mem=4 * 32 * (8 + 2 * radius)

// The sums of box in two steps: first along the rows, then down the columns of what the
// block got from the first.
__global__ void box_fused(const float* in, float* out, int n, int radius)
{
    extern __shared__ float row_sums[];  // 8 + 2 radius rows of 32
    int side = 2 * radius + 1, high = 8 + 2 * radius;
    const float* corner = in + 8 * blockIdx.y * (n + 2 * radius) + 32 * blockIdx.x;
    float sum = 0.0f;

    for (int y = threadIdx.y; y < high; y += 8) {
        float row_sum = 0.0f;
        for (int dx = 0; dx < side; ++dx)
            row_sum += corner[y * (n + 2 * radius) + threadIdx.x + dx];
        row_sums[32 * y + threadIdx.x] = row_sum;
    }
    __syncthreads();  // barrier 1: the sums of all rows are there
    for (int dy = 0; dy < side; ++dy)
        sum += row_sums[32 * (threadIdx.y + dy) + threadIdx.x];
    out[(threadIdx.y + 8 * blockIdx.y) * n + threadIdx.x + 32 * blockIdx.x] = sum;
}
