// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 128)]

// Each thread adds to an element of its own.
__global__ void atomic_neighbors(const int* in, int* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    atomicAdd(&out[i], in[i]);
}
