// line 12: std::vector needs #include <vector> at the top of the file
#include <cstdio>

__global__ void inc(int* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i]++;
}

int main()
{
    std::vector<int> h(100, 1);
    int* d;
    cudaMalloc(&d, h.size() * sizeof(int));
    cudaMemcpy(d, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
    inc<<<1, 128>>>(d, (int)h.size());
    cudaMemcpy(h.data(), d, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(d);
}
