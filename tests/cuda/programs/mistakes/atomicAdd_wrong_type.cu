// line 8: no matching function for call to 'atomicAdd': it does not exist for unsigned char, only for int, unsigned int, unsigned long long, float, double, float2, float4
#include <cstdio>

__global__ void histogram(const unsigned char* in, unsigned char* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] / 64], 1);
}

int main()
{
    unsigned char *in, *bins;
    cudaMallocManaged(&in, 256);
    cudaMallocManaged(&bins, 4);
    for (int i = 0; i < 256; i++) in[i] = i;
    histogram<<<1, 256>>>(in, bins, 256);
    cudaDeviceSynchronize();
    printf("%d\n", bins[0]);
}
