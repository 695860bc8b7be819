// prints: 4096 elements are 3
#include <cstdio>

__global__ void add_one(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
}

int main() {
    const int n = 4096, parts = 4, part = n / parts;
    float *host, *gpu;
    cudaMallocHost(&host, n * sizeof(float));
    cudaMalloc(&gpu, n * sizeof(float));
    for (int i = 0; i < n; i++) host[i] = 1.0f;
    cudaStream_t streams[parts];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (int i = 0; i < parts; i++) {
        cudaStreamCreate(&streams[i]);
        cudaMemcpyAsync(gpu + i * part, host + i * part, part * sizeof(float), cudaMemcpyHostToDevice, streams[i]);
        add_one<<<part / 256, 256, 0, streams[i]>>>(gpu + i * part, part);
        add_one<<<part / 256, 256, 0, streams[i]>>>(gpu + i * part, part);
        cudaMemcpyAsync(host + i * part, gpu + i * part, part * sizeof(float), cudaMemcpyDeviceToHost, streams[i]);
    }
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    int right = 0;
    for (int i = 0; i < n; i++) right += host[i] == 3.0f && ms >= 0;
    printf("%d elements are 3\n", right);
    for (auto stream : streams) cudaStreamDestroy(stream);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFreeHost(host);
    cudaFree(gpu);
}
