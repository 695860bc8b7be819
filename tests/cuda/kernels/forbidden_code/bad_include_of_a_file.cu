// kernel: copy   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1
#include "/etc/hostname"                          // (1)
__global__ void copy(float* out)
{
    out[threadIdx.x] = 1.0f;
}
