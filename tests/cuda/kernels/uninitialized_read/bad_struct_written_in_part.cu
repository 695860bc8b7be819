// kernel: particles   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=s space=shared
struct Particle { float x, v; };
__global__ void particles(const float* in, float* out)
{
    __shared__ Particle s[32];
    s[threadIdx.x].x = in[threadIdx.x];
    __syncthreads();
    Particle p = s[31 - threadIdx.x];             // (1)
    out[threadIdx.x] = p.x + p.v;
}
