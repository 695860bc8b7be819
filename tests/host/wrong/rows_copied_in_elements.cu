// finds: PartlyCopied, line 17
// says: look reads zero in table[0][2] and 5 more elements, since cudaMemcpyToSymbol has copied only the first 8 of the
// says: 32 bytes of table
__device__ int table[2][4];

__global__ void look(const int* x, int* y) {
    int i = threadIdx.x;
    y[i] = table[x[i] / 4][x[i] % 4];
}

int main() {
    int rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, h[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *x, *y;
    cudaMalloc(&x, sizeof(h));
    cudaMalloc(&y, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
    // One row after the other.
    for (int row = 0; row < 2; row++) cudaMemcpyToSymbol(table, rows[row], 4, 4 * row);
    look<<<1, 8>>>(x, y);
    cudaMemcpy(h, y, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
