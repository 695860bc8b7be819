// kernel: last   grid: 1   block: 33
// args: in uint8[33] random, out uint8[33] poison
// expect: nothing
// check: out == in_
__global__ void last(const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char tile[33];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[threadIdx.x];
}
