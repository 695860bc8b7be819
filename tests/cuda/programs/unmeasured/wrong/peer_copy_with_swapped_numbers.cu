// finds: WrongDirection, line 15
// gpus: 2
// says: cudaMemcpyPeer gets GPU 0 for a, which is memory of GPU 1
// The numbers of the GPUs do not fit the pointers.
#include <cstdio>

int main()
{
    float *a, *b;
    cudaMalloc(&b, 400);
    cudaMemset(b, 0, 400);
    cudaSetDevice(1);
    cudaMalloc(&a, 400);
    // To GPU 1, from GPU 0.
    cudaError_t error = cudaMemcpyPeer(a, 0, b, 1, 400);
    printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
    cudaFree(a);
    cudaFree(b);
}
