// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 128), zeros('int32', 128)]

// A maximum, and an exchange if nobody was there.
__global__ void atomic_max_cas(const int* in, int* most, int* owner)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    atomicMax(&most[i], in[i]);
    if (atomicCAS(&owner[i], 0, i + 1) == 0)
        atomicExch(&owner[i], -1);
}
