// kernel: copy   grid: 4   block: 32
// args: in float32[100] random, out float32[128] poison, n int32 100
// expect: OutOfBounds lines=1 array=in index=100 shape=100 action=read space=global block=3,0,0 thread=4,0,0
__global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];                               // (1)
}
