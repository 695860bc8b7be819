// finds: FailedLaunch, line 9
// says: A kernel launches fill, and its argument row has a pointer to the thread's own memory
// says: launches parent line 16
struct Row { int n; int* x; };
__global__ void fill(int n, Row row) { if (threadIdx.x < n) row.x[threadIdx.x] = n; }

__global__ void parent(int* sum) {
    int local[8] = {};
    fill<<<1, 8>>>(8, Row{8, local});
    *sum = local[0];
}

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
