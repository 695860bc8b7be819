// finds: OutOfBounds, line 11
// says: Thread 20 of block 0 writes d[20], but d has 20 elements, d[0] to d[19]
struct Row {
    double* data;
};
__global__ void fill(Row row) { row.data[threadIdx.x] = 1; }

int main() {
    double* d;
    cudaMalloc(&d, 20 * sizeof(double));
    fill<<<1, 32>>>(Row{d});
    cudaDeviceSynchronize();
    cudaFree(d);
    return 1;
}
