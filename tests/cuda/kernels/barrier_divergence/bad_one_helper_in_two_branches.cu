// kernel: sides   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=2,3
// A compiler may put the function into each branch, and then it has two barriers.
__device__ void wait_here()
{
    __syncthreads();                              // (1)
}
__global__ void sides(float* out)
{
    out[threadIdx.x] = 0.0f;
    if (threadIdx.x % 2 == 0) wait_here();        // (2)
    else wait_here();                             // (3)
}
