// prints: H200 (emulated), 9.0, 132 SMs, 233472 bytes of shared memory each; 8 blocks of 256
#include <cstdio>

__global__ void nothing(float* x) { x[threadIdx.x] = 0; }

int main() {
    int count, device, blocks, shared;
    cudaGetDeviceCount(&count);
    cudaGetDevice(&device);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0);
    printf("%s, %d.%d, %d SMs, %d bytes of shared memory each; %d blocks of 256\n", properties.name, properties.major,
           properties.minor, properties.multiProcessorCount, shared, blocks);
}
