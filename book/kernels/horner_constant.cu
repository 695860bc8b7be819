// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

__constant__ const float c[4] = {0.0f, 1.0f, 2.0f, 3.0f};

// c[0] + c[1] x + c[2] x^2 + c[3] x^3, for each x of `in`.
__global__ void polynomial(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    float x = in[i];
    float sum = 0.0f;

    for (int k = 3; k >= 0; --k)
        sum = sum * x + c[k];
    out[i] = sum;
}
