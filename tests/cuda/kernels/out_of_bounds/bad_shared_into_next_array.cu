// kernel: fill   grid: 1   block: 32
// args: out float32[32] poison
// expect: OutOfBounds lines=1 array=first index=32 space=shared action=write
__device__ void clear(float* p, int n)
{
    for (int i = threadIdx.x; i < n; i += 32) p[i] = 0.0f; // (1)
}
__global__ void fill(float* out)
{
    __shared__ float first[32];
    __shared__ float second[32];
    clear(second, 32);
    clear(first, 64);
    __syncthreads();
    out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
