// line 16: the library compares elements with <, which their type does not have: define operator<, or give a comparison (in std::map)
#include <cstdio>
#include <map>

struct Size {
    int blocks, threads;
};

__global__ void fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

int main()
{
    std::map<Size, float> times;
    int* x;
    cudaMalloc(&x, 4096);
    times[Size{4, 256}] = 1.0f;
    fill<<<4, 256>>>(x);
    printf("%zu %s\n", times.size(), cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
}
