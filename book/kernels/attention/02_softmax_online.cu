// finds: nothing
// launch: grid=2, block=128, args=[normal("float32", 7, 100), empty(7, 100), 7, 100]

// Every row's softmax, a warp for each row: the largest and the sum in one
// pass, the results in another.
__global__ void softmax_rows_online(const float* x, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // the whole warp
    x += (size_t)row * n;
    out += (size_t)row * n;

    float largest = -INFINITY, sum = 0.0f;  // of what this lane has seen so far
    for (int j = lane; j < n; j += 32) {
        float score = x[j], before = largest;
        largest = fmaxf(largest, score);
        sum = sum * expf(before - largest) + expf(score - largest);
    }

    float of_lane = largest;
    for (int d = 16; d > 0; d /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
    sum *= expf(of_lane - largest);  // 0 for a lane without an element
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);

    for (int j = lane; j < n; j += 32) out[j] = expf(x[j] - largest) / sum;
}
