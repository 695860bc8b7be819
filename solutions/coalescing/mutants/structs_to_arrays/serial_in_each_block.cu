// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// x[i], y[i], z[i] = the coordinates of point i, which stand at points[3 * i], points[3 * i + 1], points[3 * i + 2].
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    if (threadIdx.x > 0)
        return;
    for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x && i < n; ++i) {
        x[i] = points[3 * i];
        y[i] = points[3 * i + 1];
        z[i] = points[3 * i + 2];
    }
}
