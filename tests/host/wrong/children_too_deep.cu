// finds: FailedLaunch, line 5
// says: The launch of nest in a kernel fails with cudaErrorLaunchMaxDepthExceeded, and nothing runs: it is nested in more
// says: than 24 launches
__global__ void nest(int* depth) {
    if (atomicAdd(depth, 1) < 100) nest<<<1, 1>>>(depth);
}

int main() {
    int* depth;
    cudaMalloc(&depth, sizeof(int));
    cudaMemset(depth, 0, sizeof(int));
    nest<<<1, 1>>>(depth);
    cudaDeviceSynchronize();
    cudaFree(depth);
}
// nvcc: -rdc=true
