// finds: InvalidFree, line 6
int main() {
    int* x;
    cudaMalloc(&x, 4);
    cudaFree(x);
    return cudaFree(x) != cudaSuccess;
}
