// finds: Leak, line 7
// What cudaMalloc gives is no texture object.
#include <cstdio>

int main() {
    int* values;
    cudaMalloc(&values, 1000 * sizeof(int));
    cudaDestroyTextureObject((cudaTextureObject_t)values);
    cudaGetLastError();
}
