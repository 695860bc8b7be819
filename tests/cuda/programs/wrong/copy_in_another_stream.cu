// finds: StreamRace, line 14
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, *host;
    cudaMalloc(&x, 128);
    cudaMallocHost(&host, 128);
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    fill<<<1, 32, 0, a>>>(x);
    // b waits for nothing

    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, b);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(x);
    cudaFreeHost(host);
}
