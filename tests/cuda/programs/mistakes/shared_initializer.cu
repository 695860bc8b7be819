// line 6: initializer not allowed for __shared__ variable: threads fill it in the kernel, with a __syncthreads() before others read it
#include <cstdio>

__global__ void histogram(const unsigned char* in, int* bins, int n)
{
    __shared__ int local[256] = {0};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    unsigned char* in;
    int* bins;
    cudaMallocManaged(&in, 1024);
    cudaMallocManaged(&bins, 256 * sizeof(int));
    for (int i = 0; i < 1024; i++) in[i] = i % 256;
    histogram<<<4, 256>>>(in, bins, 1024);
    cudaDeviceSynchronize();
    printf("%d\n", bins[0]);
}
