// kernel: bits   grid: 1   block: 32
// args: in float32[32] random, out uint32[32] poison
// expect: nothing
// check: out == in_[::-1].copy().view(np.uint32)
__global__ void bits(const float* in, unsigned* out)
{
    __shared__ union {
        float as_float[32];
        unsigned as_bits[32];
    } s;
    s.as_float[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s.as_bits[31 - threadIdx.x];
}
