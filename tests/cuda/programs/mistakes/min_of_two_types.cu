// line 13: no matching function for call to 'min': give the arguments one type, for they are size_t and int
#include <algorithm>
#include <cstdio>

__global__ void square(float* x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] *= x[i];
}

int main()
{
    size_t n = 1000;
    int threads = std::min(n, 256);
    float* x;
    cudaMallocManaged(&x, n * sizeof(float));
    square<<<1, threads>>>(x, n);
    cudaDeviceSynchronize();
    printf("%f\n", x[0]);
    cudaFree(x);
}
