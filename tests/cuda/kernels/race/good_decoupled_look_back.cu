// kernel: scan   grid: 6   block: 32
// args: in int32[192] random, status int32[6] zeros, sums int32[6] zeros, prefixes int32[6] zeros, out int32[192] poison
// expect: nothing
// check: out == np.cumsum(in_)
// status 1: the block's own sum is there; 2: the sum of all up to it.
__device__ void publish(int* value, int* status, int v, int s)
{
    *value = v;
    __threadfence();
    atomicExch(status, s);
}
__global__ void scan(const int* in, int* status, int* sums, int* prefixes, int* out)
{
    __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x, v = in[b * 32 + t];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d) v += other;
    }
    if (t == 31) {
        publish(sums + b, status + b, v, 1);
        int sum = 0;
        for (int p = b - 1; p >= 0; p--) {
            int s;
            while ((s = atomicAdd(status + p, 0)) == 0) {}
            __threadfence();
            sum += s == 2 ? prefixes[p] : sums[p];
            if (s == 2) break;
        }
        publish(prefixes + b, status + b, sum + v, 2);
        before = sum;
    }
    __syncwarp();
    out[b * 32 + t] = before + v;
}
