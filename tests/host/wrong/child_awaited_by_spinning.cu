// finds: StepLimit, line 15
// says: thread 0 line 8 while (!atomicAdd(done, 0));
// says: A grid that a kernel launches need not begin before the kernel is over
__global__ void finish(int* done) { atomicExch(done, 1); }

__global__ void parent(int* done) {
    finish<<<1, 1>>>(done);
    while (!atomicAdd(done, 0));
}

int main() {
    int* done;
    cudaMalloc(&done, sizeof(int));
    cudaMemset(done, 0, sizeof(int));
    parent<<<1, 1>>>(done);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// nvcc: -rdc=true
