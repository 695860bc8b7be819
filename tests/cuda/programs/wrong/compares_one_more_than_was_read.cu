// finds: Race, line 16
// says: reads line 6 int seen
__global__ void change(int* x, int* out)
{
    int i = threadIdx.x % 2;
    int seen = x[i] + 1;
    atomicCAS(&x[i], seen, seen - 1);
    out[64 * blockIdx.x + threadIdx.x] = seen;
}

int main() {
    int *x, *out;
    cudaMalloc(&x, 2 * sizeof(int));
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(x, 0, 2 * sizeof(int));
    change<<<4, 64>>>(x, out);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
}
