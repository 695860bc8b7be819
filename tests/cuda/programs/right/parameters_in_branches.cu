// prints: 0 3 6 9
#include <cstdio>

#define ADDS

__global__ void line(double slope, int* out
#ifndef ADDS
                     ,
                     const int* offsets
#endif
) {
    out[threadIdx.x] = int(slope * threadIdx.x);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 4 * sizeof(int));
    line<<<1, 4>>>(3.0, x);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);
    cudaFree(x);
}
