// kernel: scale   grid: 4   block: 32
// args: in float32[128] random, x float32[256] random, factor float32[1] random
// expect: nothing
__global__ void scale(const float* in, float* x, const float* factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float f;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(f) : "l"(factor));
    // Of one array, the kernel writes one half and reads the other.
    x[i] = f * __ldg(in + i) + __ldg(x + 128 + i);
    __syncthreads();
    x[i] += __ldg(x + 128 + (i ^ 1));
}
