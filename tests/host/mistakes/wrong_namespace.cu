// line 14: use of undeclared identifier 'vector'; did you mean 'std::vector'?
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void inc(int* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i]++;
}

int main()
{
    vector<int> h(64);
    std::fill(h.begin(), h.end(), 7);
    int* d;
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemcpy(d, h.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
    inc<<<1, 64>>>(d, 64);
    cudaMemcpy(h.data(), d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}
