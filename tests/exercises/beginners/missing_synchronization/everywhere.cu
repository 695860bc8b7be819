%%cuda missing_synchronization
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

__global__ void square(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

__global__ void add(const int* in, int* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        total[i] += in[i];
}

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    int rounds = atoi(argv[2]);
    int grid = (n + 255) / 256;

    int *in, *out, *total;
    CHECK(cudaMallocManaged(&in, n * sizeof(int)));
    CHECK(cudaMallocManaged(&out, n * sizeof(int)));
    CHECK(cudaMallocManaged(&total, n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        total[i] = 0;

    for (int r = 0; r < rounds; ++r) {
        // Place A
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i)
            in[i] = (3 * i + r) % 8;

        // Place B
        CHECK(cudaDeviceSynchronize());
        square<<<grid, 256>>>(in, out, n);
        CHECK(cudaGetLastError());

        // Place C
        CHECK(cudaDeviceSynchronize());
        int largest = 0;
        for (int i = 0; i < n; ++i)
            if (out[i] > largest)
                largest = out[i];
        printf("%d\n", largest);

        // Place D
        CHECK(cudaDeviceSynchronize());
        add<<<grid, 256>>>(in, total, n);
        CHECK(cudaGetLastError());

        // Place E
        CHECK(cudaDeviceSynchronize());
    }

    // Place F
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        printf("%d\n", total[i]);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(total));
    return 0;
}
