// finds: nothing
// launch: grid=2, block=64, args=[zeros('int32', 1), numbers('int32', 128)]

// The old value is used, so that the result must come back.
__global__ void atomic_ticket(int* next, int* out)
{
    int mine = atomicAdd(next, 1);

    out[mine] = threadIdx.x;
}
