// finds: StreamRace, line 9
// says: Thread 0 of block 0 of parent uses x, and so does a grid that parent has launched, and nothing
// says: parent reads line 10 for (int i = 0; i < 8; i++) *sum += x[i];
// says: launches parent line 17 parent<<<1, 1>>>(x, x + 8);
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

__global__ void parent(int* x, int* sum) {
    *sum = 0;
    fill<<<1, 8>>>(x);
    for (int i = 0; i < 8; i++) *sum += x[i];
}

int main() {
    int* x;
    cudaMalloc(&x, 9 * sizeof(int));
    cudaMemset(x, 0, 9 * sizeof(int));
    parent<<<1, 1>>>(x, x + 8);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
