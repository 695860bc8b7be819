// finds: StreamRace, line 8
// says: Thread 0 of block 0 of parent uses x
// says: parent writes line 7 x[threadIdx.x] = 1;
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

__global__ void parent(int* x) {
    x[threadIdx.x] = 1;
    if (threadIdx.x == 32) twice<<<1, 64>>>(x);
    __syncthreads();
}

int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    parent<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
