// prints: 49995000 of 10000; 49995000 of 10000; 0 failed
#include <cstdio>

struct Node {
    int value;
    Node* next;
};
__device__ Node* lists[64];

__global__ void push(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Node* node = new Node{i, nullptr};
    node->next = (Node*)atomicExch((unsigned long long*)&lists[i % 64], (unsigned long long)node);
}

__global__ void sum(unsigned long long* out)
{
    unsigned long long sum = 0, count = 0;
    for (Node* node = lists[threadIdx.x]; node; node = node->next) sum += node->value, count++;
    atomicAdd(out, sum);
    atomicAdd(out + 1, count);
}

__global__ void drop()
{
    for (Node* node = lists[threadIdx.x]; node;) {
        Node* next = node->next;
        delete node;
        node = next;
    }
    lists[threadIdx.x] = nullptr;
}

// More than the heap holds at once.
__global__ void take_and_give(int rounds, int* failed)
{
    for (int round = 0; round < rounds; round++) {
        int* numbers = (int*)malloc(64 + 16 * (round % 5));
        if (!numbers) {
            atomicAdd(failed, 1);
            continue;
        }
        for (int i = 0; i < 16; i++) numbers[i] = threadIdx.x + i;
        int sum = 0;
        for (int i = 0; i < 16; i++) sum += numbers[i];
        if (sum != 16 * (int)threadIdx.x + 120) atomicAdd(failed, 1);
        free(numbers);
    }
}

int main()
{
    unsigned long long *out, sums[2];
    int *failed, failures;
    if (cudaMalloc(&out, sizeof sums) || cudaMalloc(&failed, sizeof failures)) return 1;
    cudaMemset(failed, 0, sizeof failures);
    for (int time = 0; time < 2; time++) {
        cudaMemset(out, 0, sizeof sums);
        push<<<40, 256>>>(10000);
        sum<<<1, 64>>>(out);
        drop<<<1, 64>>>();
        cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
        printf("%llu of %llu; ", sums[0], sums[1]);
    }
    take_and_give<<<2, 64>>>(1000, failed);
    cudaMemcpy(&failures, failed, sizeof failures, cudaMemcpyDeviceToHost);
    printf("%d failed\n", failures);
    cudaFree(out);
    cudaFree(failed);
    return cudaGetLastError();
}
