// line 17: the lambda runs on the GPU and captures x by reference: capture by value, [=]
#include <cstdio>

template <typename F>
__global__ void for_each(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

int main()
{
    int n = 100;
    float* x;
    cudaMallocManaged(&x, n * sizeof(float));
    float scale = 3.0f;
    for_each<<<1, 128>>>(n, [&] __device__ (int i) { x[i] = scale * i; });
    cudaDeviceSynchronize();
    printf("%f\n", x[5]);
}
