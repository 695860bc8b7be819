// finds: FailedLaunch, line 9
// says: A kernel launches fill, and its argument x has a pointer to the block's shared memory
// says: launches parent line 13
__global__ void fill(char c, int* x) { x[threadIdx.x] = c; }

__global__ void parent() {
    extern __shared__ int tile[];
    if (threadIdx.x == 0)
        fill<<<1, 32>>>('c', tile);
}

int main() {
    parent<<<1, 32, 128>>>();
    cudaDeviceSynchronize();
}
// nvcc: -rdc=true
