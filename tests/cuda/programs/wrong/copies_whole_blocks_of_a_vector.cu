// finds: CopyOutOfBounds, line 10
// The GPU's array has whole blocks of elements; the host's has only those that there are.
#include <vector>

int main() {
    int n = 100, blocks = (n + 63) / 64;
    std::vector<float> x(n, 1.0f);
    float* d_x;
    cudaMalloc(&d_x, blocks * 64 * sizeof(float));
    cudaMemcpy(d_x, x.data(), blocks * 64 * sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 1;
}
