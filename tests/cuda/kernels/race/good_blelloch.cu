// kernel: scan   grid: 1   block: 64
// args: data int32[128] random
// expect: nothing
// check: data == np.cumsum(data) - data
__global__ void scan(int* data)
{
    __shared__ int s[128];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = data[2 * t];
    s[2 * t + 1] = data[2 * t + 1];
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, old = s[a];
            s[a] = s[b];
            s[b] += old;
        }
    }
    __syncthreads();
    data[2 * t] = s[2 * t];
    data[2 * t + 1] = s[2 * t + 1];
}
