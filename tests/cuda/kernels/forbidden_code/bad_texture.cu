// kernel: sample   grid: 1   block: 8
// args: out float32[8] poison
// expect: ForbiddenCode lines=1 construct=tex2D
__global__ void sample(float* out)
{
    out[threadIdx.x] = tex2D<float>(0, threadIdx.x, 0); // (1)
}
