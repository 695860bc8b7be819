// finds: OutOfBounds, line 9
// The third number is in bytes.
extern __shared__ float tile[];
__global__ void fill(float* x) { tile[threadIdx.x] = x[threadIdx.x] = threadIdx.x; }

int main() {
    float* x;
    cudaMalloc(&x, 32 * sizeof(float));
    fill<<<1, 32, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 1;
}
