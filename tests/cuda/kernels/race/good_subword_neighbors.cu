// kernel: bytes   grid: 1   block: 64
// args: in uint8[64] random, out uint8[64] poison
// expect: nothing
// check: out == in_[::-1]
__global__ void bytes(const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char s[64];
    __shared__ short pair[64];
    s[threadIdx.x] = in[threadIdx.x];
    pair[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x] * pair[threadIdx.x];
}
