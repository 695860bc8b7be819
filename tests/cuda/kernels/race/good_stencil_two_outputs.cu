// kernel: derive   grid: 2,3   block: 8,8
// args: u float32[24x16] random, gx float32[24x16] poison, lap float32[24x16] poison
// expect: nothing
// check: gx == np.pad(u, 1)[1:-1, 2:] - np.pad(u, 1)[1:-1, :-2]
// check: lap == np.pad(u, 1)[1:-1, 2:] + np.pad(u, 1)[1:-1, :-2] + np.pad(u, 1)[2:, 1:-1] + np.pad(u, 1)[:-2, 1:-1] - 4 * u
__global__ void derive(const float* u, float* gx, float* lap)
{
    const int rows = 24, cols = 16;
    __shared__ float s[10][10];
    int x0 = blockIdx.x * 8 - 1, y0 = blockIdx.y * 8 - 1;
    // 64 threads load 100 elements, outside the grid zeros.
    for (int i = threadIdx.y * 8 + threadIdx.x; i < 100; i += 64) {
        int x = x0 + i % 10, y = y0 + i / 10;
        s[i / 10][i % 10] = x >= 0 && x < cols && y >= 0 && y < rows ? u[y * cols + x] : 0.0f;
    }
    __syncthreads();
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, at = (y0 + ty) * cols + x0 + tx;
    gx[at] = s[ty][tx + 1] - s[ty][tx - 1];
    lap[at] = s[ty][tx + 1] + s[ty][tx - 1] + s[ty + 1][tx] + s[ty - 1][tx] - 4.0f * s[ty][tx];
}
