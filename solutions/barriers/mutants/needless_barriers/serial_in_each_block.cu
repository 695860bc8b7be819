// rejected by: shares_the_work
// perhaps also: keeps_what_is_given, uses_handed_over
// "One thread of each block does it all: then nobody comes in its way."
__global__ void add_others(const int* a, const int* b, int* out, int rounds)
{
    __shared__ int x[256];
    __shared__ int y[256];
    int n = blockDim.x;
    int first = blockIdx.x * n;
    if (threadIdx.x != 0) {
        return;
    }
    for (int t = 0; t < n; ++t) {
        x[t] = a[first + t];
    }
    for (int round = 0; round < rounds; ++round) {
        int before = x[0];
        for (int t = 0; t < n; ++t) {
            x[t] += t + 1 < n ? x[t + 1] : before;
        }
    }
    for (int t = 0; t < n; ++t) {
        y[t] = x[t] + b[first + n - 1 - t];
        out[first + t] = y[t] + (t >= 32 ? y[t - 32] : 0);
    }
}
