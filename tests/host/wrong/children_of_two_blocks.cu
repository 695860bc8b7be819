// finds: StreamRace, line 6
// says: Two grids that kernels have launched use x, and nothing orders them
// says: unless they are in one stream: the default one of their block
__global__ void put(int* x, int value) { x[threadIdx.x] = value; }

__global__ void parent(int* x) { put<<<1, 8>>>(x, blockIdx.x); }

int main() {
    int* x;
    cudaMalloc(&x, 8 * sizeof(int));
    parent<<<2, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
