%%cuda needless_barriers
// Each block sums up neighbors, then adds what other threads have: see the task. A block has at most 256 threads.
__global__ void add_others(const int* a, const int* b, int* out, int rounds)
{
    __shared__ int x[256];
    __shared__ int y[256];
    int t = threadIdx.x;
    int n = blockDim.x;
    int i = blockIdx.x * n + t;

    // Place A
    // not needed
    x[t] = a[i];

    // Place B
    // not needed
    y[t] = b[i];

    // Place C
    __syncthreads();
    int mirrored = y[n - 1 - t];

    for (int round = 0; round < rounds; ++round) {
        // Place D
        __syncthreads();
        int sum = x[t] + x[(t + 1) % n];

        // Place E
        __syncthreads();
        x[t] = sum;

        // Place F
        // not needed
    }

    // Place G
    __syncthreads();  // x must be final
    y[t] = x[t] + mirrored;

    // Place H
    __syncthreads();
    int result = y[t];
    if (t >= 32) {
        result += y[t - 32];
    }

    // Place I
    // not needed
    out[i] = result;
}
