// finds: FailedLaunch, line 9
__global__ void __cluster_dims__(2, 1, 1) fill(int* out) {
    out[blockIdx.x] = 1;
}

int main() {
    int* out;
    cudaMalloc(&out, 3 * sizeof(int));
    fill<<<3, 1>>>(out);
    cudaFree(out);
    return cudaGetLastError() != cudaErrorInvalidClusterSize ? 2 : 1;
}
