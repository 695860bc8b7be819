// kernel: twice   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct=cudaDeviceSynchronize
__global__ void twice(float* out)
{
    out[threadIdx.x] = 2.0f;
    cudaDeviceSynchronize();                      // (1)
}
