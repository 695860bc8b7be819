// prints: 7 14 14 3
// Grids in one stream of a kernel run one after the other, for the default stream also where other threads launch them; the
// one in cudaStreamTailLaunch comes after all others, and after the kernel.
#include <cstdio>

__global__ void put(int* x, int value) { x[threadIdx.x] = value; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
__global__ void copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void parent(int* x, int* own, int* late) {
    if (threadIdx.x == 0) put<<<1, 8>>>(x, 3);
    __syncthreads();
    if (threadIdx.x == 7) twice<<<1, 8>>>(x);
    if (threadIdx.x == 1) {
        copy<<<1, 8, 0, cudaStreamTailLaunch>>>(late, own);
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        put<<<1, 8, 0, s>>>(own, 7);
        twice<<<1, 8, 0, s>>>(own);
        cudaStreamDestroy(s);
        put<<<1, 8, 0, cudaStreamFireAndForget>>>(late + 8, 3);
    }
    __syncthreads();
    if (threadIdx.x == 2) late[16] = 7;
}

int main() {
    int *x, host[17];
    cudaMalloc(&x, 64 * sizeof(int));
    parent<<<1, 8>>>(x, x + 8, x + 16);
    cudaMemcpy(host, x + 16, sizeof host, cudaMemcpyDeviceToHost);
    int own;
    cudaMemcpy(&own, x + 8, sizeof own, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[16], host[0], own, host[8]);
    cudaFree(x);
}
// nvcc: -rdc=true
