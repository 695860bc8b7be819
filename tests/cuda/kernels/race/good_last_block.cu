// kernel: sum_all   grid: 4   block: 64
// args: in float32[256] random, partial float32[4] poison, ticket uint32[1] zeros, out float32[1] poison
// expect: nothing
// check: out == [in_.sum()]
__global__ void sum_all(const float* in, volatile float* partial, unsigned* ticket, float* out)
{
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();  // the partial sum is seen by whoever sees the ticket
        last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += partial[b];
        *out = sum;
    }
}
