// finds: nothing
// launch: grid=2, block=128, args=[ramp(999), empty(999), 999]

constexpr int EACH = 4;  // elements of out for each thread

// The blur of element i, which is v[1], among n; the two ends stay as they are.
__device__ float blurred(const float* v, int i, int n)
{
    return i > 0 && i < n - 1 ? 0.25f * (v[0] + 2.0f * v[1] + v[2]) : v[1];
}

// Two blurs in one: out = blur(blur(in)). What the first one gives stays in the thread's registers. Two
// elements on each side are loaded by two threads, and found in the L1 cache the second time; so no thread
// needs another one's values, and nobody waits.
__global__ void blur_fused(const float* in, float* out, int n)
{
    int first = EACH * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first >= n) return;
    float v[EACH + 4], once[EACH + 2], twice[EACH];  // v[j] is element first - 2 + j; once[j] is first - 1 + j
    if (first > 0 && first + EACH + 2 <= n) {
        float2 left = *(const float2*)(in + first - 2), right = *(const float2*)(in + first + EACH);
        float4 own = *(const float4*)(in + first);
        v[0] = left.x;
        v[1] = left.y;
        v[2] = own.x;
        v[3] = own.y;
        v[4] = own.z;
        v[5] = own.w;
        v[6] = right.x;
        v[7] = right.y;
    } else {
        // Positions beyond the row are clamped to its ends; their values are not used.
        #pragma unroll
        for (int j = 0; j < EACH + 4; ++j) v[j] = in[min(max(first - 2 + j, 0), n - 1)];
    }
    #pragma unroll
    for (int j = 0; j < EACH + 2; ++j) once[j] = blurred(&v[j], first - 1 + j, n);
    #pragma unroll
    for (int j = 0; j < EACH; ++j) twice[j] = blurred(&once[j], first + j, n);
    if (first + EACH <= n)
        *(float4*)(out + first) = make_float4(twice[0], twice[1], twice[2], twice[3]);
    else
        for (int j = 0; first + j < n; ++j) out[first + j] = twice[j];
}
