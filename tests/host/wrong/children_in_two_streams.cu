// finds: StreamRace, line 13
// says: Two grids that kernels have launched use x, and nothing orders them
// says: put writes line 12 put<<<1, 8, 0, first>>>(x, 1);
// says: launches parent line 19
__global__ void put(int* x, int value) { x[threadIdx.x] = value; }

__global__ void parent(int* x) {
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    if (cudaGetLastError() != cudaSuccess) return;
    put<<<1, 8, 0, first>>>(x, 1);
    put<<<1, 8, 0, second>>>(x, 2);
}

int main() {
    int* x;
    cudaMalloc(&x, 8 * sizeof(int));
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
