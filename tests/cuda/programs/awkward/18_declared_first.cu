// main comes first; every kernel is only declared at that point.
#include <stdio.h>
#include <stdlib.h>

__device__ int helper(int);
__global__ void first(int *, int = 10);
__global__ void first(int *, int);
extern __global__ void second(int *data, const int n);
template <class T, int N = 4> __global__ void third(T (*)[N]);
namespace later { __global__ void fourth(int *); }
struct Later;
__global__ void fifth(Later *, int *);
static __global__ void sixth(int *);
void host_later(int *d);

static void check(cudaError_t e) { if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } }

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    int *d, h[8];
    Later *state;
    extern size_t later_size();
    check(cudaMalloc(&d, sizeof h));
    check(cudaMalloc(&state, later_size()));
    check(cudaMemset(d, 0, sizeof h));
    check(cudaMemset(state, 0, later_size()));
    first<<<1, 8>>>(d);
    first<<<1, 8>>>(d, 100);
    second<<<1, 8>>>(d, 3);
    third<<<1, 2>>>(reinterpret_cast<int(*)[4]>(d));
    later::fourth<<<1, 8>>>(d);
    fifth<<<1, 1>>>(state, d);
    fifth<<<1, 1>>>(state, d);
    sixth<<<1, 8>>>(d);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    host_later(d);
    check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int v : h) printf("%d ", v);
    printf("\n");
    check(cudaFree(state));
    check(cudaFree(d));
    return 0;
}

__global__ void first(int *data, int amount) { data[threadIdx.x] += helper(amount); }

__global__ void second(int *elements, int count)
{
    if (threadIdx.x < static_cast<unsigned>(count))
        elements[threadIdx.x] = -elements[threadIdx.x];
}

template <class T, int N>
__global__ void third(T (*rows)[N])
{
    for (int i = 0; i < N; ++i) rows[threadIdx.x][i] += i;
}

__global__ void later::fourth(int *p) { p[threadIdx.x] *= 2; }

struct Later {
    int calls;
    __device__ int next();
};

__device__ int Later::next() { return calls += 5; }

size_t later_size() { return sizeof(Later); }

__global__ void fifth(Later *later, int *p) { p[7] = later->next(); }

static __global__ void sixth(int *p) { p[threadIdx.x] += helper(static_cast<int>(threadIdx.x)); }

__device__ int helper(int x) { return x * x; }

void host_later(int *d)
{
    first<<<1, 1>>>(d, 1);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}
