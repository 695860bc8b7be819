// kernel: fill   grid: 2   block: 32
// args: out float32[64] poison
// expect: ForbiddenCode lines=1 construct=__cluster_dims__ reason=unsupported
__global__ void __cluster_dims__(2, 1, 1) fill(float* out) // (1)
{
    out[threadIdx.x] = 1.0f;
}
