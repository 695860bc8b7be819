// finds: Unsynchronized, line 10
int main() {
    int *host, *x;
    cudaMallocHost(&host, 1 << 20);
    cudaMalloc(&x, 1 << 20);
    for (int i = 0; i < 1 << 18; i++) host[i] = i;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(x, host, 1 << 20, cudaMemcpyHostToDevice, stream);
    host[0] = 7;
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFreeHost(host);
}
