#include "api.h"
#include "reduce.cuh"

namespace {

// Another type and another kernel of the same names as in sum.cu.
struct Scaled {
    int by, and_plus;
};

__global__ void scale(int* x, int n, Scaled s)
{
    if (threadIdx.x < n) x[threadIdx.x] = x[threadIdx.x] * s.by + s.and_plus + (reduce::lane() == 0);
}

} // namespace

int largest(const std::vector<int>& values)
{
    const int n = values.size();
    int* x;
    std::vector<int> changed(n);
    cudaMalloc(&x, n * sizeof(int));
    cudaMemcpy(x, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(x, n, Scaled{2, 1});
    cudaMemcpy(changed.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    return reduce::run<reduce::Max<int>>(changed.data(), n);
}
