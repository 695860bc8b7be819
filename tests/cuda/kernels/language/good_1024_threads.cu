// kernel: sum   grid: 1   block: 1024
// args: in int32[1024] random, out int32[1] poison
// expect: nothing
// check: out == [in_.sum()]
__global__ void sum(const int* in, int* out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 512; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) *out = s[0];
}
