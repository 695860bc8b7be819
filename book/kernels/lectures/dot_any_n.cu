// finds: nothing
// launch: grid=3, block=128, args=[numbers("int32", 3000), numbers("int32", 3000), zeros("int32", 1), 3000]

// L2's dot product, for any n and any launch. out[0] must be 0 before.
__global__ void dot(const int* x, const int* y, int* out, int n)
{
    int threads = gridDim.x * blockDim.x, sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += x[i] * y[i];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);  // one for each warp, from all blocks
}
