// finds: OutOfBounds, line 11
// A lambda that a kernel gets writes behind its array, in a line of its own.
#include <cstdio>

template <class F> __global__ void each(F f) { f(threadIdx.x); }

int main() {
    int n = 32, *a;
    cudaMalloc(&a, n * sizeof(int));
    // One element further.
    each<<<1, 32>>>([=] __device__(int i) {
        a[i + 1] = n;
    });
    cudaDeviceSynchronize();
    cudaFree(a);
}
