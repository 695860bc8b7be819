// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), numbers('int32', 2)]

// All threads of a block add to the same word of shared memory.
__global__ void atomic_shared_one_address(const int* in, int* out)
{
    __shared__ int sum;
    int t = threadIdx.x;

    if (t == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[t + blockDim.x * blockIdx.x]);
    __syncthreads();
    if (t == 0) out[blockIdx.x] = sum;
}
