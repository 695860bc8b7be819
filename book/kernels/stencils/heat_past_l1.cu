// finds: nothing
// launch: grid=4, block=8, args=[numbers('float32', 32), empty(32), 32]

// The same with loads that go past the L1 cache, straight to L2.
__global__ void heat_past_l1(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < n) {
        float left = __ldcg(&in[i > 0 ? i - 1 : n - 1]);
        float right = __ldcg(&in[i < n - 1 ? i + 1 : 0]);
        out[i] = 0.5f * __ldcg(&in[i]) + 0.25f * (left + right);
    }
}
