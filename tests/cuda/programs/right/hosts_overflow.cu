// prints: 70000 squares are the same
// What overflows on the host wraps around as on the GPU, and bits may be read as another type: programs are written for
// compilers that do not make the most of C++'s rules.
#include <cstdio>
#include <cstdlib>

__global__ void square(int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = int(unsigned(i) * i);
}

int main() {
    const int n = 70000;
    int *x, *h = new int[n], same = 0;
    cudaMalloc(&x, n * sizeof(int));
    square<<<n / 100, 100>>>(x);
    cudaMemcpy(h, x, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        if (h[i] != i * i) {
            printf("%d expected, %d is there\n", i * i, h[i]);
            return 1;
        }
        same++;
    }
    printf("%d squares are the same\n", same);
    delete[] h;
    return cudaFree(x);
}
