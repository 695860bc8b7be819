// prints: cudaErrorInvalidConfiguration, then no error; 1: invalid argument; 0 devices beyond the first
#include <cstdio>

__global__ void nothing() {}

int main() {
    cudaError_t second = cudaSetDevice(1);
    cudaGetLastError();
    cudaError_t unknown = cudaEventQuery(nullptr);
    cudaError_t last = cudaGetLastError();
    nothing<<<1, 32>>>();
    bool same = unknown == last && second == cudaErrorInvalidDevice;
    cudaError_t pitch = cudaMemcpy2D(nullptr, 1, nullptr, 1, 2, 1, cudaMemcpyHostToDevice);
    bool peeked = cudaPeekAtLastError() == pitch && cudaGetLastError() == pitch && cudaGetLastError() == cudaSuccess;
    printf("%s, then %s; 1: %s; %d devices beyond the first\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
           cudaGetErrorString(cudaSuccess), cudaGetErrorString(cudaErrorInvalidValue), !(same && peeked));
    cudaDeviceSynchronize();
}
