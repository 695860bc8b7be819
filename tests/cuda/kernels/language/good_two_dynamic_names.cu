// kernel: both   grid: 1   block: 32   shared_mem: 128
// args: in float32[32] random, out uint32[32] poison
// expect: nothing
// check: out == in_.view(np.uint32)[::-1]
__global__ void both(const float* in, unsigned* out)
{
    extern __shared__ float values[];
    extern __shared__ unsigned bits[];  // the same memory under another type
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = bits[31 - threadIdx.x];
}
