// line 16: no matching function for call to 'cudaMalloc': pass the address of the pointer, with &
#include <cstdio>
#include <cstdlib>

__global__ void ones(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1.0f;
}

int main()
{
    const int n = 1024;
    float* h = (float*)malloc(n * sizeof(float));
    float* d;
    cudaMalloc(d, n * sizeof(float));
    ones<<<n / 256, 256>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    cudaFree(d);
    free(h);
}
