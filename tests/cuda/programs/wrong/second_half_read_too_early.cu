// finds: Unsynchronized, line 19
// The first half of a page is done, and may be read; that does not make the second half known.
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    fill<<<1, 32, 0, a>>>(x);
    fill<<<1, 32, 0, b>>>(x + 32);
    if (cudaStreamSynchronize(a)) return 2;
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += x[i];
    volatile int* late = x;
    // b is not awaited
    sum += late[32];
    printf("%d\n", sum);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a), cudaStreamDestroy(b);
    cudaFree(x);
}
