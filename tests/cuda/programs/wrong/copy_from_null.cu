// finds: UncheckedError, line 9
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> none;
    int *d, h = 0;
    if (cudaMalloc(&d, sizeof(int))) return 1;
    cudaMemcpy(d, none.data(), sizeof(int), cudaMemcpyHostToDevice);
    if (cudaMemset(d, 0, sizeof(int))) return 1;
    if (cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost)) return 1;
    printf("%d\n", h);
    return cudaFree(d);
}
