// kernel: parent   grid: 1   block: 8
// args: out float32[8] poison
// expect: ForbiddenCode lines=1 construct='<<<'
__global__ void child(float* out) { out[threadIdx.x] = 1; }
__global__ void parent(float* out)
{
    child<<<1, 8>>>(out);                         // (1)
}
