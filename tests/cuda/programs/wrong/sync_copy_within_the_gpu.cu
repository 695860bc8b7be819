// finds: StreamRace, line 13
// cudaMemcpy within the GPU's memory does not wait, and the stream does not wait for it.
__global__ void add(int* x) { x[threadIdx.x]++; }

int main()
{
    int *from, *to;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&from, 256), cudaMalloc(&to, 256);
    cudaMemset(from, 0, 256);
    cudaMemcpy(to, from, 256, cudaMemcpyDeviceToDevice);
    add<<<1, 64, 0, stream>>>(to);
    cudaDeviceSynchronize();
    cudaFree(from), cudaFree(to), cudaStreamDestroy(stream);
}
