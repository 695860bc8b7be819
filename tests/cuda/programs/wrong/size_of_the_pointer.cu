// finds: UninitializedRead, line 10
// says: cudaMemcpy in line 8 has written the first 8 bytes of 128
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    int *h = new int[32](), *x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);  // of two numbers
    delete[] h;
    twice<<<1, 32>>>(x);
    if (cudaDeviceSynchronize()) return 2;
    cudaFree(x);
}
