// finds: DevicePointer, line 8
#include <cstdio>

int main() {
    int* x;
    cudaMalloc(&x, 16 * sizeof(int));
    cudaMemset(x, 0, 16 * sizeof(int));
    printf("%d\n", x[3]);
    cudaFree(x);
}
