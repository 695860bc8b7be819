// line 5: static assertion failed due to requirement '(100 & (100 - 1)) == 0': BLOCK must be a power of two (in reduce<100>, which line 23 uses)
template <int BLOCK>
__global__ void reduce(const float* in, float* out)
{
    static_assert((BLOCK & (BLOCK - 1)) == 0, "BLOCK must be a power of two");
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, 400 * sizeof(float));
    cudaMallocManaged(&out, 4 * sizeof(float));
    for (int i = 0; i < 400; i++) in[i] = 1;
    reduce<100><<<4, 100>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
