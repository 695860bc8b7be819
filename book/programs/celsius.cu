// Degrees Fahrenheit to degrees Celsius, on the GPU.
#include <cstdio>
#include <cstdlib>

// Ends the program with a message if a CUDA function fails.
#define CHECK(call)                                            \
    do {                                                       \
        cudaError_t code = (call);                             \
        if (code != cudaSuccess) {                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
                    cudaGetErrorString(code));                 \
            exit(1);                                           \
        }                                                      \
    } while (0)

__global__ void celsius(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;  // this thread's element

    if (i < n)                                      // spare threads do nothing
        out[i] = (in[i] - 32.0f) / 1.8f;
}

int main()
{
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    float fahrenheit[n], converted[n];
    for (int i = 0; i < n; ++i)
        fahrenheit[i] = i;

    float *in, *out;  // addresses in the GPU's memory
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, fahrenheit, bytes, cudaMemcpyHostToDevice));

    int block = 256;
    int grid = (n + block - 1) / block;  // n / block, rounded up
    celsius<<<grid, block>>>(in, out, n);
    CHECK(cudaGetLastError());       // did the launch start?
    CHECK(cudaDeviceSynchronize());  // did the kernel end without an error?

    CHECK(cudaMemcpy(converted, out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));

    printf("32 F are %.1f C, 212 F are %.1f C, 999 F are %.1f C\n",
           converted[32], converted[212], converted[999]);
    return 0;
}
