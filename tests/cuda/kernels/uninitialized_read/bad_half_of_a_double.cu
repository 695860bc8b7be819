// kernel: widen   grid: 1   block: 32
// args: in int32[32] random, out float64[32] poison
// expect: UninitializedRead lines=1 array=s space=shared count=32
__global__ void widen(const int* in, double* out)
{
    __shared__ double s[32];
    ((int*)&s[threadIdx.x])[1] = in[threadIdx.x];  // the upper four bytes only
    out[threadIdx.x] = s[threadIdx.x];            // (1)
}
