// rejected by: has_no_needless_barriers
// perhaps also: keeps_what_is_given
// "__syncthreads_count() is a barrier as well." It is, at all nine places.
__global__ void add_others(const int* a, const int* b, int* out, int rounds)
{
    __shared__ int x[256];
    __shared__ int y[256];
    int t = threadIdx.x;
    int n = blockDim.x;
    int i = blockIdx.x * n + t;

    // Place A
    __syncthreads_count(1);
    x[t] = a[i];

    // Place B
    __syncthreads_count(1);
    y[t] = b[i];

    // Place C
    __syncthreads_count(1);
    int mirrored = y[n - 1 - t];

    for (int round = 0; round < rounds; ++round) {
        // Place D
        __syncthreads_count(1);
        int sum = x[t] + x[(t + 1) % n];

        // Place E
        __syncthreads_count(1);
        x[t] = sum;

        // Place F
        __syncthreads_count(1);
    }

    // Place G
    __syncthreads_count(1);
    y[t] = x[t] + mirrored;

    // Place H
    __syncthreads_count(1);
    int result = y[t];
    if (t >= 32) {
        result += y[t - 32];
    }

    // Place I
    __syncthreads_count(1);
    out[i] = result;
}
