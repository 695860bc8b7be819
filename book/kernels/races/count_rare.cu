// finds: Race
// launch: grid=4, block=64, args=[numbers('int32', 256), zeros('int32', 1), 256, 10]

// Counts the elements below limit, wrongly. Where they are rare,
// threads seldom meet.
__global__ void count_rare(const int* in, int* count, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] < limit) *count += 1;
}
