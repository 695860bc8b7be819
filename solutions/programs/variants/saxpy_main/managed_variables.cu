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
__managed__ float x_both[5000], y_both[5000];
__global__ void saxpy(float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y_both[i] = a * x_both[i] + y_both[i];
}

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]);
    float a = atof(argv[2]);
    int block = atoi(argv[3]);

    float* x = (float*)malloc(n * sizeof(float));
    float* y = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = 1 + i % 10;
        y[i] = i % 7;
    }

    // On the GPU: y = a * x + y.
    for (int i = 0; i < n; ++i) {
        x_both[i] = x[i];
        y_both[i] = y[i];
    }
    saxpy<<<(n + block - 1) / block, block>>>(a, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        y[i] = y_both[i];

    for (int i = 0; i < n; ++i)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
