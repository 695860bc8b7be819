// rejected by: is_coalesced
// "Each thread needs its own point, so it loads its own point."
// x[i], y[i], z[i] = the coordinates of point i, which stand at points[3 * i], points[3 * i + 1], points[3 * i + 2].
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = points[3 * i];
        y[i] = points[3 * i + 1];
        z[i] = points[3 * i + 2];
    }
}
