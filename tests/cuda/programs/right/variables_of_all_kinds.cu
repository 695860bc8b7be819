// prints: 8 and 3 calls, 3 launches, then 0 and 7 by address
#include <cstdio>

__device__ int table[2];
static __device__ int launches;  // the host never names it

__global__ void bump() {
    static __device__ int calls = 5;
    static int more;
    table[0] = ++calls;
    table[1] = ++more;
    launches++;
}
__global__ void tell(int* out) { *out = launches; }
__global__ void set(int* x) { x[1] = 7; }

int main() {
    int host[2], counted, *out;
    void* address;
    cudaMalloc(&out, sizeof(int));
    for (int i = 0; i < 3; i++) bump<<<1, 1, 0, cudaStreamPerThread>>>();
    tell<<<1, 1>>>(out);
    cudaMemcpyFromSymbol(host, table, sizeof host);
    cudaMemcpy(&counted, out, sizeof counted, cudaMemcpyDeviceToHost);
    printf("%d and %d calls, %d launches, ", host[0], host[1], counted);
    if (cudaGetSymbolAddress(&address, table)) return 1;
    cudaMemset(address, 0, sizeof host);
    set<<<1, 1>>>((int*)address);
    cudaMemcpyFromSymbol(host, table, sizeof host);
    printf("then %d and %d by address\n", host[0], host[1]);
    cudaFree(out);
}
