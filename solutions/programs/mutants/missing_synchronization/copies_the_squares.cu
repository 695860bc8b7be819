// rejected by: keeps_what_is_given
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
    int* squares = (int*)malloc(n * sizeof(int));

    for (int r = 0; r < rounds; ++r) {
        // Place A
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i)
            in[i] = (3 * i + r) % 8;

        // Place B
        // Need not wait: a launch sees what the host has written before.
        square<<<grid, 256>>>(in, out, n);
        CHECK(cudaGetLastError());

        // Place C
        CHECK(cudaMemcpy(squares, out, n * sizeof(int), cudaMemcpyDeviceToHost));
        int largest = 0;
        for (int i = 0; i < n; ++i)
            if (squares[i] > largest)
                largest = squares[i];
        printf("%d\n", largest);

        // Place D
        // Need not wait: the host has only read out, and add does not use that.
        add<<<grid, 256>>>(in, total, n);
        CHECK(cudaGetLastError());

        // Place E
    }

    // Place F
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        printf("%d\n", total[i]);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(total));
    free(squares);
    return 0;
}
