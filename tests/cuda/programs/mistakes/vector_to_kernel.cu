// line 15: a std::vector is not a pointer, and the GPU has no access to it: copy its elements to memory from cudaMalloc, and pass that
#include <cstdio>
#include <vector>

__global__ void add(float* a, float* b, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main()
{
    int n = 256;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    add<<<1, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
    printf("%f\n", c[0]);
}
