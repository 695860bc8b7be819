// prints: 10 and 20, 55, by address 6, table 7 8 9
#include <cstdio>

struct Node {
    int value;
    Node* next;
};
__device__ __managed__ int data[4] = {1, 2, 3, 4}, total;
namespace my {
static __managed__ Node* head;
}
__managed__ int table[3];

__global__ void twice() {
    data[threadIdx.x] *= 2;
    if (threadIdx.x == 0) data[3] = 20;
}

__global__ void sum() {
    for (Node* node = my::head; node; node = node->next) total += node->value;
}

__global__ void add(int* numbers, int n) { *numbers += n; }

int main() {
    Node* nodes;
    cudaMallocManaged(&nodes, 10 * sizeof(Node));
    for (int i = 0; i < 10; i++) nodes[i] = {i + 1, my::head}, my::head = &nodes[i];
    data[0] = 5;
    twice<<<1, 3>>>();
    sum<<<1, 1>>>();
    if (cudaDeviceSynchronize()) return 1;
    printf("%d and %d, %d, ", data[0], data[3], total);
    int host[] = {7, 8, 9};
    data[1] = 5;
    add<<<1, 1>>>(data + 1, 1);
    cudaMemcpyToSymbol(table, host, sizeof host);
    if (cudaDeviceSynchronize()) return 1;
    printf("by address %d, table %d %d %d\n", data[1], table[0], table[1], table[2]);
    cudaFree(nodes);
}
