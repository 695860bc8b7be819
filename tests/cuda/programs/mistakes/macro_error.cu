// line 19: use of undeclared identifier 'error', in a macro that this line uses
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t err = call;                                       \
        if (err != cudaSuccess) {                                     \
            printf("%s\n", cudaGetErrorString(error));                \
            exit(1);                                                  \
        }                                                             \
    } while (0)

__global__ void zero(int* x) { x[threadIdx.x] = 0; }

int main()
{
    int* x;
    CHECK(cudaMalloc(&x, 64 * sizeof(int)));
    zero<<<1, 64>>>(x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
}
