// finds: nothing
// launch: grid=2, block=128, args=[numbers('int32', 250) % 64, zeros('int32', 64), 250]

// bins[v] += how often v occurs in x, for v from 0 to 63. All blocks
// add to the same 64 counters.
__global__ void histogram(const int* x, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) atomicAdd(&bins[x[i]], 1);
}
