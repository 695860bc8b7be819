// wrong: line 11 copies 64 numbers to an array of 32
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
    struct {
        int numbers[32], behind[32];
    } h = {};
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
    cudaMemcpy(h.numbers, x, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h.behind[0] == 1 ? 0 : 2;
}
