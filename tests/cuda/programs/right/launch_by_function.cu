// prints: 10 11 12 13, from a namespace and a template of a struct
#include <cstdio>

namespace {
namespace inner {
__global__ void start(int* x, int from) { x[threadIdx.x] = from + threadIdx.x; }
}  // namespace inner
}  // namespace
template <int N> struct Launcher {
    static void run(int* x) { inner::start<<<1, N>>>(x, 10); }
};

int main() {
    int host[4], *x, from = 0;
    cudaMalloc(&x, sizeof host);
    void* arguments[] = {&x, &from};
    cudaLaunchKernel(inner::start, dim3(1), dim3(4), arguments, 0, 0);
    Launcher<4>::run(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, from a namespace and a template of a struct\n", host[0], host[1], host[2], host[3]);
    cudaFree(x);
}
