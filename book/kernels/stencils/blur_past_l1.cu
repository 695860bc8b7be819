// finds: nothing
// launch: grid=3, block=64, args=[numbers('float64', 150), zeros('float64', 150), 150]

// Lecture L2's blur with loads that go past the L1 cache, straight to L2.
__global__ void blur_past_l1(const double* in, double* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x + 1;

    if (i < n - 1) {
        out[i] = 0.25 * (__ldcg(&in[i - 1]) + 2.0 * __ldcg(&in[i]) + __ldcg(&in[i + 1]));
    }
}
