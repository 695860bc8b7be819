// wrong: line 7 copies as many bytes as a pointer has, and line 9 reads what nobody has written
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
