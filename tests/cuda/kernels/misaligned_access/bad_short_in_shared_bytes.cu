// kernel: unpack   grid: 1   block: 8
// args: in uint8[32] random, out int32[8] poison
// expect: MisalignedAccess lines=1 width=2 address_mod=1 array=s space=shared action=read
__global__ void unpack(const unsigned char* in, int* out)
{
    __shared__ __align__(4) unsigned char s[32];
    for (int i = threadIdx.x; i < 32; i += 8) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = *(const short*)(s + 3 * threadIdx.x); // (1)
}
