// finds: nothing
// launch: grid=4, block=64, args=[numbers('float32', 1000), empty(1000), 1000]

// One step of heat in a ring, four elements for each thread. n is a multiple of 4.
__global__ void heat_wide(const float* in, float* out, int n)
{
    int i = 4 * (threadIdx.x + blockDim.x * blockIdx.x);

    if (i < n) {
        float left = in[i > 0 ? i - 1 : n - 1];
        float4 a = *(const float4*)&in[i];
        float right = in[i < n - 4 ? i + 4 : 0];
        float4 b;
        b.x = 0.5f * a.x + 0.25f * (left + a.y);
        b.y = 0.5f * a.y + 0.25f * (a.x + a.z);
        b.z = 0.5f * a.z + 0.25f * (a.y + a.w);
        b.w = 0.5f * a.w + 0.25f * (a.z + right);
        *(float4*)&out[i] = b;
    }
}
