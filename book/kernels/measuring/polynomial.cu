// finds: nothing
// launch: for terms in (1, 64): grid=4, block=64, args=[ramp(250) / 250, empty(250), 250, terms]

// A polynomial of each element of in, by Horner's rule: one load, one store, and between them as many
// multiply-adds as the launch asks for. All of them wait for the one before.
__global__ void polynomial(const float* in, float* out, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i], sum = 1.0f;  // load: the only one
    #pragma unroll 16
    for (int term = 0; term < terms; ++term) sum = sum * x + 0.5f;
    out[i] = sum;
}
