// finds: StreamRace, line 14
__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
    int *from, *to, *host;
    cudaMalloc(&from, 128);
    cudaMalloc(&to, 128);
    cudaMallocHost(&host, 128);
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMemset(from, 0, 128);
    cudaStream_t a, b;
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    copy<<<1, 32, 0, a>>>(from, to);
    cudaMemcpyAsync(from, host, 128, cudaMemcpyHostToDevice, b);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(from);
    cudaFree(to);
    cudaFreeHost(host);
}
