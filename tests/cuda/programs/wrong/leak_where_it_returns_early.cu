// finds: Leak, line 5
static bool sum(const int* h, int n) {
    int *x, *y;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, sizeof(int));
    if (cudaMemcpy(x, h, n * sizeof(int), cudaMemcpyHostToDevice) || n % 32) {
        cudaFree(x);
        return false;
    }
    cudaFree(x), cudaFree(y);
    return true;
}

int main() {
    int h[40] = {};
    return sum(h, 32) && !sum(h, 40) ? 0 : 2;
}
