// prints: a block of 256 to 1024 threads, 100000 elements right
// The occupancy API chooses the block; a grid-stride loop does the rest. The kernel's attributes are asked for, too.
#include <cstdio>
#include <vector>

__global__ void __launch_bounds__(1024) saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 100000;
    int least_grid = 0, block = 0;
    if (cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, saxpy, 0, 0)) return 1;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, saxpy)) return 1;
    if (attributes.maxThreadsPerBlock < block || attributes.sharedSizeBytes) return 2;
    int grid = std::min((n + block - 1) / block, least_grid);

    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = float(i % 100), y[i] = 1.0f;
    float *d_x = nullptr, *d_y = nullptr;
    if (cudaMalloc((void**)&d_x, n * sizeof(float)) || cudaMalloc((void**)&d_y, n * sizeof(float))) return 1;
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<grid, block>>>(n, 2.0f, d_x, d_y);
    if (cudaPeekAtLastError()) return 1;
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n; i++) right += y[i] == 2.0f * (i % 100) + 1.0f;
    printf("a block of %s threads, %d elements right\n", block >= 256 && block <= 1024 ? "256 to 1024" : "?", right);
    cudaFree(d_x);
    cudaFree(d_y);
}
