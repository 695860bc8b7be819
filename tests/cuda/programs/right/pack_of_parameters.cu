// prints: 0.5 6.5
#include <cstdio>

struct Add {
    __device__ float operator()(float* x, int n, float a, float b) const { return x[threadIdx.x % n] * a + b; }
};

template <typename T, typename F, typename... Rest> __global__ void apply(T* x, F f, Rest... rest) {
    x[threadIdx.x] = f(x, rest...);
}

int main() {
    float* x;
    cudaMallocManaged(&x, 4 * sizeof(float));
    for (int i = 0; i < 4; ++i) x[i] = i;
    apply<<<1, 4>>>(x, Add(), 4, 2.0f, 0.5f);
    cudaDeviceSynchronize();
    printf("%g %g\n", x[0], x[3]);
    cudaFree(x);
}
