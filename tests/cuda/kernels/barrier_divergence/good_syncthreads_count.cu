// kernel: votes   grid: 1   block: 96
// args: out int32[3] poison, written int32[96] poison
// expect: nothing
// check: out == [32, 0, 1]
// check: written == np.arange(96)[::-1]
__global__ void votes(int* out, int* written)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = t;
    int count = __syncthreads_count(t % 3 == 0);  // also a barrier
    written[t] = s[95 - t];
    int all = __syncthreads_and(t < 95), any = __syncthreads_or(t == 95);
    if (t == 0) {
        out[0] = count;
        out[1] = all != 0;
        out[2] = any != 0;
    }
}
