// A thread without a number puts nothing down, and nobody asks for it.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i < n)
        best[t] = abs(in[i]);
    __syncthreads();

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half && i + half < n)
            best[t] = max(best[t], best[t + half]);
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = best[0];
}
