// finds: StreamRace, line 6
// says: Two operations use x, and nothing orders them
// says: launches parent line 11 parent<<<1, 1, 0, s>>>(x);
// says: Operations of two streams run in any order
__global__ void child(int* x) { x[threadIdx.x] += 1; }
__global__ void parent(int* x) { child<<<1, 4>>>(x); }
int main() {
    int *x;
    cudaMalloc(&x, 16); cudaMemset(x, 0, 16);
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
    parent<<<1, 1, 0, s>>>(x);
    parent<<<1, 1, 0, t>>>(x);
    cudaDeviceSynchronize();
    cudaStreamDestroy(s); cudaStreamDestroy(t); cudaFree(x);
}
// nvcc: -rdc=true
