// line 12: no matching function for call to 'k': N's argument in <...> must be a constant, or a type if N is one
#include <cstdio>

template <int N>
__global__ void k(float* x) { x[threadIdx.x] = N; }

int main()
{
    int n = 64;
    float* x;
    cudaMallocManaged(&x, 256);
    k<n><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
