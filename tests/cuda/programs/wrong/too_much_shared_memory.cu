// finds: FailedLaunch, line 11
__global__ void fill(int* x) {
    extern __shared__ int tile[];
    tile[0] = 1;
    *x = tile[0];
}

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    fill<<<1, 1, 49153>>>(x);
    cudaFree(x);
    return cudaGetLastError() != cudaErrorInvalidValue ? 2 : 1;
}
