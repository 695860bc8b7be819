// rejected by: is_coalesced
// x[i], y[i], z[i] = the coordinates of point i, which stand at points[3 * i], points[3 * i + 1], points[3 * i + 2].
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;    // this thread's point, if there is one

    for (int turn = 0; turn < 32; ++turn)   // one lane after the other
        if (t % 32 == turn && i < n) {
            x[i] = points[3 * i];
            y[i] = points[3 * i + 1];
            z[i] = points[3 * i + 2];
        }
}
