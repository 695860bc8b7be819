// rejected by: waits_for_the_gpu
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

    float* x = (float*)malloc(n * sizeof(float));
    float* y = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = 1 + i % 10;
        y[i] = i % 7;
    }

    // On the GPU: y = a * x + y.
    size_t bytes = n * sizeof(float);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    float *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    saxpy<<<(n + block - 1) / block, block, 0, stream>>>(a, d_x, d_y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaStreamDestroy(stream));

    for (int i = 0; i < n; ++i)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
