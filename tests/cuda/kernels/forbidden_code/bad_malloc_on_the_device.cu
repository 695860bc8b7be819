// kernel: keep   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct=malloc reason=heap
__global__ void keep(float* out)
{
    float* mine = (float*)malloc(sizeof(float));  // (1)
    out[threadIdx.x] = mine != NULL;
}
