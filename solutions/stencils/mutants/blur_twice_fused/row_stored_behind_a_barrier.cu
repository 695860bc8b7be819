// rejected by: uses_shared_stores
// All is computed from row, the first blur three times over. A barrier stands before row is filled, and once is for show.
__global__ void blur_twice_fused(const float* in, float* out, int n)
{
    extern __shared__ float row[];
    float* once = row + blockDim.x + 4;
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    __syncthreads();
    for (int j = t; j < blockDim.x + 4; j += blockDim.x) {
        if (j < blockDim.x + 2)
            once[j] = 0;
        int from = first - 2 + j;
        row[j] = from >= 0 && from < n ? in[from] : 0.0f;
    }
    __syncthreads();
    int i = first + t;
    if (i >= n)
        return;
    float near[5], blurred[3];
    for (int k = 0; k < 5; ++k)
        near[k] = row[t + k];
    for (int k = 0; k < 3; ++k) {
        bool is_end = i - 1 + k <= 0 || i - 1 + k >= n - 1;
        blurred[k] = is_end ? near[k + 1] : 0.25f * (near[k] + 2 * near[k + 1] + near[k + 2]);
    }
    out[i] = i == 0 || i == n - 1 ? blurred[1] : 0.25f * (blurred[0] + 2 * blurred[1] + blurred[2]);
}
