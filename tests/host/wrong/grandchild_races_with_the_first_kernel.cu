// finds: StreamRace, line 7
// says: Thread 0 of block 0 of parent uses x, and so does a grid that parent has launched
// says: put writes line 7 __global__ void child
// says: launches child line 10
__global__ void put(int* x) { *x = 1; }

__global__ void child(int* x) { put<<<1, 1>>>(x); }

__global__ void parent(int* x) {
    child<<<1, 1>>>(x);
    *x = 2;
}

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
