// kernel: scan   grid: 1   block: 128
// args: data int32[128] random
// expect: Race lines=1,1 array=s hazard=write-after-read
__global__ void scan(int* data)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        // One buffer: a neighbor may read s[t] before or after this write.
        if (t >= d) s[t] += s[t - d];             // (1)
        __syncthreads();
    }
    data[t] = s[t];
}
