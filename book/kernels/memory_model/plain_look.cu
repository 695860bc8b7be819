// finds: nothing
// launch: grid=2, block=32, args=[zeros('int32', 1), zeros('int32', 64)]

// Each thread takes a number, then looks at how many have been taken.
__global__ void plain_look(int* taken, int* seen)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    atomicAdd(taken, 1);
    seen[i] = atomicAdd(taken, 0);
}
