// finds: CopyOutOfBounds, line 8
__global__ void fill(float* x) { x[threadIdx.x] = 1; }

int main() {
    float host[64], *x;
    cudaMalloc(&x, 64);  // bytes, not elements
    fill<<<1, 16>>>(x);
    cudaMemcpy(host, x, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
    return cudaGetLastError() ? 1 : 0;
}
