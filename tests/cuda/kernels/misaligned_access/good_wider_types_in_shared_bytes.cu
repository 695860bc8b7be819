// kernel: unpack   grid: 1   block: 8
// args: in uint8[64] random, out int32[8] poison
// expect: nothing
// check: out == in_.view(np.int16)[::4] + in_.view(np.int32)[1::2]
__global__ void unpack(const unsigned char* in, int* out)
{
    __shared__ __align__(8) unsigned char s[64];
    for (int i = 0; i < 8; i++) s[8 * threadIdx.x + i] = in[8 * threadIdx.x + i];
    __syncthreads();
    short first = *(const short*)(s + 8 * threadIdx.x);
    int second = *(const int*)&s[8 * threadIdx.x + 4];
    out[threadIdx.x] = first + second;
}
