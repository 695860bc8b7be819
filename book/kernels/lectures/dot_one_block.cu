// finds: nothing
// launch: grid=1, block=1024, args=[numbers("int32", 1000), numbers("int32", 1000), zeros("int32", 1), 1000]

// L2's dot product, for n up to 1024: one block of 1024 threads.
__global__ void dot(const int* x, const int* y, int* out, int n)
{
    __shared__ int total;
    int i = threadIdx.x;

    if (i == 0) total = 0;
    __syncthreads();  // total is 0 before anyone adds
    int sum = i < n ? x[i] * y[i] : 0;
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (i % 32 == 0) atomicAdd(&total, sum);  // one for each warp
    __syncthreads();  // all warps have added
    if (i == 0) *out = total;
}
