// line 10: calling a __host__ function("square") from a __global__ function is not allowed: mark the function in line 5 as __device__ as well
#include <cstdio>
#include <vector>

float square(float x) { return x * x; }

__global__ void squares(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = square(in[i]);
}

int main()
{
    const int n = 1000;
    std::vector<float> h(n, 2.0f);
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    squares<<<(n + 255) / 256, 256>>>(a, b, n);
    cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
