// finds: CopyOutOfBounds, line 5
int main() {
    int host[100] = {}, *x;
    cudaMalloc(&x, 50 * sizeof(int));
    if (cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice)) {  // 100 ints into room for 50
        cudaFree(x);
        return 1;
    }
}
