// finds: nothing
// launch: grid=1, block=1024, args=[numbers('int32', 1024) % 8, zeros('int32', 1)]

// *count becomes how many of the 1024 elements are 0, if it is 0
// before.
__global__ void count_zeros(const int* x, int* count)
{
    if (x[threadIdx.x] == 0) atomicAdd(count, 1);
}
