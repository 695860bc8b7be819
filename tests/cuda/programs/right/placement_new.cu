// prints: 10
// A kernel makes objects in memory that it was given.
#include <cstdio>
#include <new>

struct Pair {
    int a, b;
    __device__ Pair(int a) : a(a), b(2 * a) {}
};

__global__ void place(Pair *room, int *sum)
{
    Pair *first = new (room) Pair(1), *second = ::new (static_cast<void *>(room + 1)) Pair(2);
    int *ones = new (sum + 1) int[1]{1};
    *sum = first->a + first->b + second->a + second->b + *ones;
}

int main()
{
    Pair *room;
    int *sum, host;
    if (cudaMalloc(&room, 2 * sizeof(Pair)) || cudaMalloc(&sum, 2 * sizeof(int))) return 1;
    place<<<1, 1>>>(room, sum);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(room);
    cudaFree(sum);
}
