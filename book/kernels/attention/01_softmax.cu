// finds: nothing
// launch: grid=2, block=128, args=[normal("float32", 7, 100), empty(7, 100), 7, 100]

// Every row's softmax, a warp for each row, in three passes over it.
__global__ void softmax_rows(const float* x, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // the whole warp
    x += (size_t)row * n;
    out += (size_t)row * n;

    float largest = -INFINITY;
    for (int j = lane; j < n; j += 32) largest = fmaxf(largest, x[j]);
    for (int d = 16; d > 0; d /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));

    float sum = 0.0f;
    for (int j = lane; j < n; j += 32) sum += expf(x[j] - largest);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);

    for (int j = lane; j < n; j += 32) out[j] = expf(x[j] - largest) / sum;
}
