// kernel: largest   grid: 2   block: 64
// args: in float32[128] random, best float32[1] zeros
// expect: nothing
// check: best == [in_.max()]
__device__ float atomic_max(float* address, float value)
{
    int* bits = (int*)address;
    int old = atomicAdd(bits, 0), assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value) break;
        old = atomicCAS(bits, assumed, __float_as_int(value));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void largest(const float* in, float* best)
{
    atomic_max(best, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
