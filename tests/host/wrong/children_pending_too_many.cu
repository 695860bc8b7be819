// finds: FailedLaunch, line 7
// says: the kernel launches more than the 100 grids, copies and fills that may be pending
// says: Launch fewer, larger grids
__global__ void idle() {}

__global__ void parent() {
    idle<<<1, 1>>>();
}

int main() {
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100);
    parent<<<2, 64>>>();
    cudaDeviceSynchronize();
}
// nvcc: -rdc=true
