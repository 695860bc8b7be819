// prints: 240 992 1 0 0 9
// Each thread writes its row and launches a grid that adds it up: the grid sees what its thread has written.
#include <cstdio>

struct Row {
    int start, length;
    char name;
    double scale;
};

template <class T> __global__ void add_up(const T* x, Row row, T* sums, float4 unused) {
    int sum = 0;
    for (int i = threadIdx.x; i < row.length; i += blockDim.x) sum += int(x[row.start + i] * row.scale);
    atomicAdd(&sums[blockIdx.x], sum);
}

static __device__ int failures;

__global__ void fill(int* x, int n, int* sums) {
    int start = threadIdx.x * n;
    for (int i = 0; i < n; i++) x[start + i] = i;
    Row row = {start, n, 'r', 1};
    add_up<int><<<dim3(1, 1), dim3(4, 2)>>>(x, row, sums + threadIdx.x, float4());
    if (cudaGetLastError() != cudaSuccess) atomicAdd(&failures, 1);
}

int main() {
    int *x, *sums, host[2], failed;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&sums, 2 * sizeof(int));
    cudaMemset(sums, 0, 2 * sizeof(int));
    fill<<<1, 2>>>(x, 16, sums);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d ", host[0]);
    cudaMemset(sums, 0, 2 * sizeof(int));
    fill<<<1, 2>>>(x, 32, sums);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
    printf("%d %d %d %d %d\n", host[1], host[0] == host[1], failed, cudaGetLastError(), cudaStreamTailLaunch != 0 ? 9 : 0);
    cudaFree(x);
    cudaFree(sums);
}
// nvcc: -rdc=true
