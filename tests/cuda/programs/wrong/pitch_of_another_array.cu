// finds: CopyOutOfBounds, line 9
#include <vector>

int main() {
    const size_t width = 300, height = 16;
    std::vector<char> h(width * height);
    char* x;
    cudaMalloc(&x, width * height);
    cudaError_t error = cudaMemcpy2D(x, 512, h.data(), width, width, height, cudaMemcpyHostToDevice);
    cudaFree(x);
    return error == cudaErrorInvalidValue ? 1 : 2;
}
