%%cuda forgotten_memory
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

// out[i] = in[i] + in[i + 1], where in[0] comes after the last one. Counts the numbers that are not 0.
__global__ void add_neighbor(const int* in, int* out, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + in[(i + 1) % n];
        if (out[i] != 0)
            atomicAdd(count, 1);
    }
}

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    int rounds = atoi(argv[2]);
    int* numbers = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i)
        numbers[i] = i % 3;

    int *current, *count;
    CHECK(cudaMalloc(&current, n * sizeof(int)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemcpy(current, numbers, n * sizeof(int), cudaMemcpyHostToDevice));

    if (rounds == 0) {
        for (int i = 0; i < n; ++i)
            printf("%d\n", numbers[i]);
        free(numbers);
        // Place A
        CHECK(cudaFree(current));
        CHECK(cudaFree(count));
        return 0;
    }

    for (int r = 0; r < rounds; ++r) {
        int* next;
        CHECK(cudaMalloc(&next, n * sizeof(int)));
        CHECK(cudaMemset(count, 0, sizeof(int)));

        // Place B
        // nothing
        add_neighbor<<<(n + 255) / 256, 256>>>(current, next, count, n);
        CHECK(cudaGetLastError());

        // Place C
        // nothing
        current = next;

        // Place D
        CHECK(cudaFree(next));
    }

    // Place E
    CHECK(cudaFree(count));
    CHECK(cudaMemcpy(numbers, current, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        printf("%d\n", numbers[i]);

    // Place F
    CHECK(cudaFree(current));
    free(numbers);
    return 0;
}
