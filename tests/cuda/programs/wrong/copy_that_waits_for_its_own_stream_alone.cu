// finds: Unsynchronized, line 13
// A copy to ordinary memory is over when the call returns, and the kernel in the other stream perhaps not.
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    cudaStream_t a;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    fill<<<1, 32, 0, a>>>(x);

    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[31]);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a);
    cudaFree(x);
}
