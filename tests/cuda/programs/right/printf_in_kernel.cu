// prints: before / block 0 / block 1 / after
#include <cstdio>

__global__ void hello() { printf("block %d / ", blockIdx.x); }

int main() {
    hello<<<2, 1>>>();
    printf("before / ");
    cudaDeviceSynchronize();
    printf("after\n");
}
