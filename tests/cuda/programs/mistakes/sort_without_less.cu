// line 17: the library compares elements with <, which their type does not have: define operator<, or give a comparison (in std::sort)
#include <algorithm>
#include <cstdio>
#include <vector>

struct Item { int key; };

__global__ void k(Item* x) { x[threadIdx.x].key = 64 - threadIdx.x; }

int main()
{
    std::vector<Item> items(64);
    Item* d;
    cudaMalloc(&d, 64 * sizeof(Item));
    k<<<1, 64>>>(d);
    cudaMemcpy(items.data(), d, 64 * sizeof(Item), cudaMemcpyDeviceToHost);
    std::sort(items.begin(), items.end());
    printf("%d\n", items[0].key);
    cudaFree(d);
}
