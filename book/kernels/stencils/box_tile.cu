// finds: nothing; without barrier 1: Race
// launch: for radius in (4, 1, 2, 8): grid=(2, 4), block=(32, 8), args=[numbers('float32', 32 + 2 * radius, 64 + 2 * radius), empty(32, 64), 64, radius], shared_mem=4 * (32 + 2 * radius) * (8 + 2 * radius)

// The sums of box; a block of 32 x 8 threads fetches all that it needs once.
__global__ void box_tile(const float* in, float* out, int n, int radius)
{
    extern __shared__ float tile[];
    int t = threadIdx.x + 32 * threadIdx.y, side = 2 * radius + 1;
    int wide = 32 + 2 * radius, high = 8 + 2 * radius;
    const float* corner = in + 8 * blockIdx.y * (n + 2 * radius) + 32 * blockIdx.x;
    float sum = 0.0f;

    for (int j = t; j < wide * high; j += 256)
        tile[j] = corner[j / wide * (n + 2 * radius) + j % wide];
    __syncthreads();  // barrier 1: the tile is whole
    for (int dy = 0; dy < side; ++dy)
        for (int dx = 0; dx < side; ++dx)
            sum += tile[(threadIdx.y + dy) * wide + threadIdx.x + dx];
    out[(threadIdx.y + 8 * blockIdx.y) * n + threadIdx.x + 32 * blockIdx.x] = sum;
}
