// Loads four numbers at once.
__global__ void structs_to_arrays(const float* points, float* x, float* y, float* z, int n)
{
    extern __shared__ __align__(16) float numbers[];
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int i = first + t;
    int total = min(3 * (int)blockDim.x, 3 * n - 3 * first);
    for (int j = 4 * t; j < total; j += 4 * blockDim.x)
        if (j + 4 <= total)
            *(float4*)&numbers[j] = *(const float4*)&points[3 * first + j];
        else
            for (int k = j; k < total; ++k)
                numbers[k] = points[3 * first + k];
    __syncthreads();
    if (i < n) {
        x[i] = numbers[3 * t];
        y[i] = numbers[3 * t + 1];
        z[i] = numbers[3 * t + 2];
    }
}
