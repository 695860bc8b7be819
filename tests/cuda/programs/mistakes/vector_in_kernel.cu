// line 7: calling a __host__ function("std::vector<int>") from a __global__ function is not allowed: a kernel has no std::vector, it works on arrays
#include <cstdio>
#include <vector>

__global__ void sums(const int* in, int* out, int n)
{
    std::vector<int> parts(4);
    int i = threadIdx.x;
    if (i < n) {
        for (int j = 0; j < 4; j++)
            parts[j] = in[i] + j;
        out[i] = parts[0] + parts[3];
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    sums<<<1, 64>>>(in, out, 64);
    cudaDeviceSynchronize();
    printf("%d\n", out[3]);
}
