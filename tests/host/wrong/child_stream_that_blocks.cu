// finds: Crash, line 14
// says: a kernel creates a stream that is not cudaStreamNonBlocking. Thread 0 of block 0 was here: thread 0 line 8
// says: with the flag cudaStreamNonBlocking, and no others
__global__ void idle() {}

__global__ void parent() {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamDefault);
    idle<<<1, 1, 0, s>>>();
    cudaStreamDestroy(s);
}

int main() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
// nvcc: -rdc=true
