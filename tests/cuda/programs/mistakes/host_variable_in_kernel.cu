// line 9: identifier "N" is undefined in device code: it is the host's, from line 4; pass it to the kernel as an argument
#include <cstdio>

int N = 1 << 10;

__global__ void add(const float* a, const float* b, float* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        c[i] = a[i] + b[i];
}

int main()
{
    float *a, *b, *c;
    cudaMallocManaged(&a, N * sizeof(float));
    cudaMallocManaged(&b, N * sizeof(float));
    cudaMallocManaged(&c, N * sizeof(float));
    for (int i = 0; i < N; i++) { a[i] = i; b[i] = 2 * i; }
    add<<<4, 256>>>(a, b, c);
    cudaDeviceSynchronize();
    printf("%f\n", c[10]);
}
