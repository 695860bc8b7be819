// kernel: lookup   grid: 1   block: 32
// args: out float32[32] poison
// expect: OutOfBounds lines=1 array=table index=16 space=device action=read
__device__ float table[16];
__device__ float other[16];
__device__ float at(const float* p, int i)
{
    return p[i];                                  // (1)
}
__global__ void lookup(float* out)
{
    out[threadIdx.x] = at(table, threadIdx.x) + at(other, 0);
}
