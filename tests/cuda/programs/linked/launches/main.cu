// A kernel launches kernels that other files define, and static ones that have the same name there.
#include "steps.cuh"

static __global__ void begin(int* x) { x[threadIdx.x] = 3; }

__global__ void all(int* x) {
    begin<<<1, 4>>>(x);
    twice<<<1, 4>>>(x);
    more<int><<<1, 4>>>(x, 1);
    launch_begin(x + 4);
}

int main() {
    int *x, host[8];
    cudaMalloc(&x, sizeof host);
    all<<<1, 1>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    begin<<<1, 4>>>(x);
    run_begin(x + 4);
    int then[8];
    cudaMemcpy(then, x, sizeof then, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[3], host[7], then[0], then[4]);
    return cudaFree(x);
}
