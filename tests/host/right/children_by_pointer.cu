// prints: 3 6 10
// A pointer to a kernel may be in a variable or an argument of a template; static kernels and lambdas are launched as others.
#include <cstdio>

static __global__ void add(int* x, int n) { *x += n; }
namespace {
__global__ void times(int* x, int n) { *x *= n; }
}  // namespace
template <class F> __global__ void apply(F f) { f(); }
template <void (*kernel)(int*, int)> __device__ void launch(int* x, int n) { kernel<<<1, 1>>>(x, n); }

__global__ void parent(int* x, bool multiplies) {
    void (*kernel)(int*, int) = multiplies ? times : add;
    kernel<<<1, 1>>>(x, 3);
    launch<add>(x + 1, 6);
    apply<<<1, 1>>>([=] { x[2] = 10; });
}

int main() {
    int *x, host[3];
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    add<<<1, 1>>>(x, 1);
    parent<<<1, 1>>>(x, true);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[1], host[2]);
    cudaFree(x);
}
// nvcc: -rdc=true
