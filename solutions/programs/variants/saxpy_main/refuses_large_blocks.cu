#include <cstdio>
#include <cstdlib>

// Ends the program with a message if a CUDA function fails.
#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t code = (call);                                                       \
        if (code != cudaSuccess) {                                                       \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(code));        \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

// y[i] = a * x[i] + y[i], for every i below n.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]);
    float a = atof(argv[2]);
    int block = atoi(argv[3]);
    if (block > 1024) {
        fprintf(stderr, "at most 1024 threads\n");
        return 2;
    }

    float* x = (float*)malloc(n * sizeof(float));
    float* y = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = 1 + i % 10;
        y[i] = i % 7;
    }

    // On the GPU: y = a * x + y.
    size_t bytes = n * sizeof(float);
    float *x_gpu, *y_gpu;
    CHECK(cudaMalloc(&x_gpu, bytes));
    CHECK(cudaMalloc(&y_gpu, bytes));
    CHECK(cudaMemcpy(x_gpu, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_gpu, y, bytes, cudaMemcpyHostToDevice));

    int grid = (n + block - 1) / block;  // n / block, rounded up
    saxpy<<<grid, block>>>(a, x_gpu, y_gpu, n);
    CHECK(cudaGetLastError());       // did the launch start?
    CHECK(cudaDeviceSynchronize());  // wait, and look how the kernel ended

    CHECK(cudaMemcpy(y, y_gpu, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_gpu));
    CHECK(cudaFree(y_gpu));

    for (int i = 0; i < n; ++i)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
