// finds: CopyOutOfBounds, line 13
// The second half comes back to the second half, but with the size of all.
#include <stdlib.h>

int main() {
    int n = 64;
    int* x = (int*)calloc(n, sizeof(int));
    x = (int*)realloc(x, 2 * n * sizeof(int));
    int* d_x;
    cudaMalloc(&d_x, 2 * n * sizeof(int));
    cudaMemcpy(d_x, x, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_x + n, 0, n * sizeof(int));
    cudaMemcpy(x + n, d_x, 2 * n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    free(x);
    return 1;
}
