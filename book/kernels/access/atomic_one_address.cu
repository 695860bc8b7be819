// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1)]

// All threads add to the same element.
__global__ void atomic_one_address(const int* in, int* sum)
{
    atomicAdd(sum, in[threadIdx.x + blockDim.x * blockIdx.x]);
}
