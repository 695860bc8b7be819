// finds: InvalidFree, line 6
int main() {
    int* x;
    cudaMallocHost(&x, 4);
    *x = 1;
    return cudaFree(x) != cudaSuccess;
}
