// prints: 5 5 0 0
// What a kernel allocates is global memory, for the grids that it launches, too; copies and fills are put into streams.
// The fill is with zeros because CUDA 13.0 fills with zeros from a kernel, whatever the value.
#include <cstdio>

__device__ int* made;

__global__ void put(int* x, int value) { x[threadIdx.x] = value; }
__global__ void give_back(int* x, int* out) {
    out[0] = x[3];
    cudaFree(x);
}

__global__ void allocate(int* x, int* y, int* out) {
    int* memory;
    if (cudaMalloc((void**)&memory, 8 * sizeof(int)) != cudaSuccess) return;
    put<<<1, 8>>>(memory, 5);
    give_back<<<1, 1>>>(memory, out);
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    put<<<1, 8, 0, s>>>(x, 5);
    cudaMemcpyAsync(y, x, 4 * sizeof(int), cudaMemcpyDeviceToDevice, s);
    put<<<1, 4, 0, s>>>(y + 4, 7);
    cudaMemsetAsync(y + 4, 0, 4 * sizeof(int), s);
    cudaStreamDestroy(s);
}

int main() {
    int *x, host[17];
    cudaMalloc(&x, sizeof host);
    allocate<<<1, 1>>>(x, x + 8, x + 16);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[16], host[11], host[12], cudaGetLastError());
    cudaFree(x);
}
// nvcc: -rdc=true
