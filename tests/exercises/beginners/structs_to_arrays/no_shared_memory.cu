%%cuda structs_to_arrays
// x[i], y[i], z[i] = the coordinates of point i, which stand at points[3 * i], points[3 * i + 1], points[3 * i + 2].
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    extern __shared__ float numbers[];      // 3 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;    // the block's first point
    int i = first + t;                      // this thread's point, if there is one

    // 1. Load the block's numbers in three rounds, side by side.

    // 2. Store this thread's point, if it has one.
    if (i < n) {
        x[i] = points[3 * i];
        y[i] = points[3 * i + 1];
        z[i] = points[3 * i + 2];
    }
}
