// finds: Unsynchronized, line 11
// cudaMemsetAsync does not wait, not even on managed memory.
#include <cstdio>

int main()
{
    int* x;
    cudaMallocManaged(&x, 256);
    for (int i = 0; i < 64; i++) x[i] = 1;
    cudaMemsetAsync(x, 0, 256, 0);
    printf("%d\n", x[63]);
    cudaDeviceSynchronize();
    cudaFree(x);
}
