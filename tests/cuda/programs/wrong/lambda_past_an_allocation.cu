// finds: OutOfBounds, line 10
// says: Thread 20 of block 0 writes d[20], but d has 20 elements, d[0] to d[19]
// says: thread 20 writes line 10 run<<<1, 32>>>([=] __device__(int i) { d[i] = 1; });
template <class F> __global__ void run(F f) { f(threadIdx.x); }

int main() {
    float* d;
    size_t bytes = 20 * sizeof(float);
    cudaMalloc(&d, bytes);
    run<<<1, 32>>>([=] __device__(int i) { d[i] = 1; });
    cudaDeviceSynchronize();
    cudaFree(d);
    return 1;
}
