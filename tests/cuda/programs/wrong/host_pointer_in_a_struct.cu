// finds: OutOfBounds, line 12
struct Row {
    int* data;
    int n;
};
__global__ void fill(Row row) {
    if (threadIdx.x < row.n) row.data[threadIdx.x] = 1;
}

int main() {
    int h[32];
    fill<<<1, 32>>>(Row{h, 32});
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 1 : 2;
}
