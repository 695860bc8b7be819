// finds: CopyOutOfBounds, line 5
int main() {
    int *x, n = 1000;
    cudaMalloc(&x, n);
    cudaError_t error = cudaMemset(x, 0, n * sizeof(int));
    cudaFree(x);
    return error == cudaErrorInvalidValue ? 1 : 2;
}
