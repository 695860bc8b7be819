// kernel: again   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct=cudaGraphLaunch
__global__ void again(float* out)
{
    out[threadIdx.x] = 2.0f;
    cudaGraphLaunch(0, 0);                        // (1)
}
