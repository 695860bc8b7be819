// finds: nothing
// launch: for radius in (4, 1, 2, 8): grid=(2, 4), block=(32, 8), args=[numbers('float32', 32 + 2 * radius, 64 + 2 * radius), empty(32, 64), 64, radius]

// out[y][x] is the sum of (2 radius + 1)^2 elements. A row of out has n elements, and
// `in` has a frame of `radius` elements around it.
__global__ void box(const float* in, float* out, int n, int radius)
{
    int x = threadIdx.x + 32 * blockIdx.x, y = threadIdx.y + 8 * blockIdx.y;
    int side = 2 * radius + 1;
    float sum = 0.0f;

    for (int dy = 0; dy < side; ++dy)
        for (int dx = 0; dx < side; ++dx)
            sum += in[(y + dy) * (n + 2 * radius) + x + dx];
    out[y * n + x] = sum;
}
