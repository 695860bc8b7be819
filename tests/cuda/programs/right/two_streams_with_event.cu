// prints: 64 elements are 14
#include <cstdio>

__global__ void write(int* x, int value) { x[threadIdx.x] = value; }
__global__ void twice(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

int main() {
    int *x, *y, host[64];
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaStream_t first, second;
    cudaEvent_t written;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
    write<<<1, 64, 0, first>>>(x, 7);
    cudaEventRecord(written, first);
    cudaStreamWaitEvent(second, written);
    twice<<<1, 64, 0, second>>>(x, y);
    cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    int right = 0;
    for (int value : host) right += value == 14;
    printf("%d elements are 14\n", right);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(written);
    cudaFree(x);
    cudaFree(y);
}
