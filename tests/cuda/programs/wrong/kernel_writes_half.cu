// finds: UninitializedRead, line 13
// says: Thread 64 of block 0 reads all[64], which nobody has written
// says: 63 more elements of all
__global__ void square(float* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void sum(const float* all, float* out) { atomicAdd(out, all[threadIdx.x]); }

int main() {
    float *all, *out, host;
    cudaMalloc(&all, 128 * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(out, 0, sizeof(float));
    square<<<1, 64>>>(all);
    sum<<<1, 128>>>(all, out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(all);
    cudaFree(out);
}
