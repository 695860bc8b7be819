// kernel: sort   grid: 2   block: 32
// args: in int32[128] random, out int32[128] poison
// expect: nothing
// check: out == np.sort(in_.reshape(2, 64), axis=1)
__global__ void sort(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    s[t] = in[base + t];
    s[t + 32] = in[base + t + 32];
    __syncthreads();
    for (int r = 0; r < 64; r++) {
        int i = 2 * t + r % 2;
        if (i + 1 < 64 && s[i] > s[i + 1]) {
            int v = s[i];
            s[i] = s[i + 1];
            s[i + 1] = v;
        }
        __syncthreads();  // a pair's neighbors are next
    }
    out[base + t] = s[t];
    out[base + t + 32] = s[t + 32];
}
