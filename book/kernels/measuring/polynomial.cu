// finds: nothing
// launch: for terms in (1, 64): grid=2, block=32, args=[ramp(256) / 256, empty(256), 64, terms]

// A polynomial of each element of in, by Horner's rule: between one load and one store of four neighbours as
// many multiply-adds as the launch asks for. n: how many groups of four there are.
__global__ void polynomial(const float4* in, float4* out, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 x = in[i], sum = make_float4(1.0f, 1.0f, 1.0f, 1.0f);
    #pragma unroll 16
    for (int term = 0; term < terms; ++term) {
        sum.x = sum.x * x.x + 0.5f;
        sum.y = sum.y * x.y + 0.5f;
        sum.z = sum.z * x.z + 0.5f;
        sum.w = sum.w * x.w + 0.5f;
    }
    out[i] = sum;
}
