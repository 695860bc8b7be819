// prints: 23997 of 8000 numbers
#include <cstdio>

struct Large {
    int x[8000];
};

__global__ void sum(const Large all, int* out) {
    if (threadIdx.x != 31) return;
    int s = 0;
    for (int i = 0; i < 8000; ++i) s += all.x[i];
    *out = s;
}

int main() {
    static Large all;
    for (int i = 0; i < 8000; ++i) all.x[i] = i % 7;
    int *out, got = 0;
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 64>>>(all, out);
    cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d of 8000 numbers\n", got);
    cudaFree(out);
}
