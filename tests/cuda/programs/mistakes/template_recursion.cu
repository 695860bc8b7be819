// line 5: the template uses itself without end: a specialization, or if constexpr, must end it (in power<3>, which line 11 uses)
template <int N>
__device__ float power(float x)
{
    return x * power<N - 1>(x);
}

__global__ void cubes(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = power<3>(x[i]);
}
