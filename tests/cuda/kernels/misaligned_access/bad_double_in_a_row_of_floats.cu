// kernel: pairs   grid: 1   block: 8
// args: out float64[8] poison
// expect: MisalignedAccess lines=1 width=8 address_mod=4 array=s space=shared action=read
__global__ void pairs(double* out)
{
    __shared__ __align__(8) float s[8][5];
    for (int i = 0; i < 5; i++) s[threadIdx.x][i] = 0.0f;
    __syncthreads();
    out[threadIdx.x] = *(const double*)&s[threadIdx.x][2]; // (1)
}
