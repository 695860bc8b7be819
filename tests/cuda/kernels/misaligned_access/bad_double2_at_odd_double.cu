// kernel: copy   grid: 1   block: 8
// args: in float64[20] random, out float64[16] poison
// expect: MisalignedAccess lines=1 width=16 address_mod=8 array=in action=read
__global__ void copy(const double* in, double2* out)
{
    out[threadIdx.x] = *(const double2*)(in + 2 * threadIdx.x + 1); // (1)
}
