// line 7: use of undeclared identifier 'size': declare it above this line, and not only within other {...}
__global__ void stencil(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
    if (i == 0 || i == size - 1)
        out[i] = in[i];
}
