// kernel: pack   grid: 1   block: 8
// args: out uint8[40] poison
// expect: MisalignedAccess lines=1 width=4 address_mod=2 array=s space=shared action=write
__global__ void pack(unsigned char* out)
{
    __shared__ __align__(4) unsigned char s[40];
    *(int*)&s[4 * threadIdx.x + 2] = threadIdx.x; // (1)
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 2];
}
