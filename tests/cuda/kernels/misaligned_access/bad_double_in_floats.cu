// kernel: widen   grid: 1   block: 8
// args: in float32[40] random, out float64[8] poison
// expect: MisalignedAccess lines=1 width=8 address_mod=4 array=in action=read
__global__ void widen(const float* in, double* out)
{
    out[threadIdx.x] = *(const double*)(in + 2 * threadIdx.x + 1); // (1)
}
