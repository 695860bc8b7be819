// kernel: sides   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=2,3
__device__ void wait_here()
{
    __syncthreads();                              // (1)
}
__global__ void sides(float* out)
{
    void (*wait)() = wait_here;
    out[threadIdx.x] = 0.0f;
    if (threadIdx.x % 2 == 0) wait();             // (2)
    else wait();                                  // (3)
}
