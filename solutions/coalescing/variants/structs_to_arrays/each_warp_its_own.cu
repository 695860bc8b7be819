// Each warp loads the 96 numbers of its own points, and waits for its own lanes alone.
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    extern __shared__ float numbers[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lane = t % 32;
    float* mine = numbers + 3 * (t - lane);             // the warp's 96 numbers
    int from = 3 * (i - lane);
    for (int j = lane; j < 96; j += 32)
        if (from + j < 3 * n)
            mine[j] = points[from + j];
    __syncwarp();
    if (i < n) {
        x[i] = mine[3 * lane];
        y[i] = mine[3 * lane + 1];
        z[i] = mine[3 * lane + 2];
    }
}
