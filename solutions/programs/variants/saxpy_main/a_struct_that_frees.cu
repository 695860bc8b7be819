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

struct GpuArray {
    float* data = nullptr;
    size_t bytes;

    explicit GpuArray(int n) : bytes(n * sizeof(float)) { CHECK(cudaMalloc(&data, bytes)); }
    ~GpuArray() { CHECK(cudaFree(data)); }
    GpuArray(const GpuArray&) = delete;
    GpuArray& operator=(const GpuArray&) = delete;

    void put(const float* host) { CHECK(cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice)); }
    void get(float* host) const { CHECK(cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost)); }
};

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
    {
        GpuArray gpu_x(n), gpu_y(n);
        gpu_y.put(y);
        gpu_x.put(x);
        dim3 threads(block);
        dim3 blocks((n + threads.x - 1) / threads.x);
        saxpy<<<blocks, threads>>>(a, gpu_x.data, gpu_y.data, n);
        CHECK(cudaGetLastError());
        gpu_y.get(y);
    }

    for (int i = 0; i < n; ++i)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
