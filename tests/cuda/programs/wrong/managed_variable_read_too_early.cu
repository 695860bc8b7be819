// finds: Unsynchronized, line 9
#include <cstdio>

__managed__ int total;

__global__ void count() { atomicAdd(&total, 1); }
int main() {
    count<<<2, 32>>>();
    printf("%d\n", total);
    return cudaDeviceSynchronize();
}
