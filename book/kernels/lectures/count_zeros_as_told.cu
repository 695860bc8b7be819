// finds: Race
// launch: grid=1, block=1024, args=[numbers('int32', 1024) % 8, zeros('int32', 1)]

// The same as the lecture has it: additions are lost.
__global__ void count_zeros(const int* x, int* count)
{
    int i = threadIdx.x;

    if (x[i] == 0) *count += 1;
}
