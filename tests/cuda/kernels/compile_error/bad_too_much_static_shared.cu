// kernel: big   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1
__global__ void big(float* out)
{
    __shared__ float tile[128][128];              // (1)
    tile[threadIdx.x][0] = 1.0f;
    out[threadIdx.x] = tile[threadIdx.x][0];
}
