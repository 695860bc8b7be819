// finds: nothing
// launch: for block in (8, 64): grid=4, block=block, args=[numbers('float32', 4 * block), empty(4 * block), 4 * block]

// One step of heat in a ring of wire: each element moves towards its two neighbors.
__global__ void heat(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < n) {
        float left = in[i > 0 ? i - 1 : n - 1];  // a ring
        float right = in[i < n - 1 ? i + 1 : 0];
        out[i] = 0.5f * in[i] + 0.25f * (left + right);  // own
    }
}
