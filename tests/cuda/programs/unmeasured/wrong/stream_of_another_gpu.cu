// finds: FailedLaunch, line 14
// gpus: 2
// says: its stream belongs to GPU 0, and GPU 1 is current
// A kernel can only be launched in a stream of the current GPU.
#include <cstdio>

__global__ void idle() {}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaSetDevice(1);
    idle<<<1, 32, 0, stream>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaStreamDestroy(stream);
}
