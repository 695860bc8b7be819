// finds: Race, line 20
// says: Two blocks use sums[0], and nothing orders one block before another
#include <cub/thread/thread_operators.cuh>
#include <thrust/device_vector.h>

// What a library may, because it knows what PTX makes of it, a text may not.
__global__ void chain(volatile int* sums) {
    int i = blockIdx.x;
    if (i) {
        while (!sums[i - 1]) {}
        sums[i] = sums[i - 1] + 1;
    } else {
        sums[i] = 1;
    }
}

int main() {
    thrust::device_vector<int> sums(2);
    int* there = thrust::raw_pointer_cast(sums.data());
    chain<<<2, 1>>>(there);
    cudaDeviceSynchronize();
}
