// finds: UninitializedRead, line 7
// says: reads x[16], which nobody has written
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

__global__ void parent(int* x) {
    for (int i = 0; i < 16; i++) x[i] = i;
    twice<<<1, 32>>>(x);
}

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
