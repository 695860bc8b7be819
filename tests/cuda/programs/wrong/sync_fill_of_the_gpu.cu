// finds: StreamRace, line 12
// cudaMemset of the GPU's memory does not wait, and the stream does not wait for it.
__global__ void add(int* x) { x[threadIdx.x]++; }

int main()
{
    int* x;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    add<<<1, 64, 0, stream>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x), cudaStreamDestroy(stream);
}
