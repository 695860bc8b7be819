// prints: reversed 255 to 0, more with an attribute: no error
#include <cstdio>

__global__ void reverse(int* x) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
    int host[256], *x;
    for (int i = 0; i < 256; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 256, sizeof host>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    reverse<<<1, 256, 64 << 10>>>(x);
    cudaError_t error = cudaDeviceSynchronize();
    printf("reversed %d to %d, more with an attribute: %s\n", host[0], host[255], cudaGetErrorString(error));
    cudaFree(x);
}
