// finds: nothing
// launch: grid=2, block=64, args=[numbers('float32', 128), zeros('float32', 1024)]

// Each thread adds to an element in a sector of its own.
__global__ void atomic_strided(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    atomicAdd(&out[8 * i], in[i]);
}
