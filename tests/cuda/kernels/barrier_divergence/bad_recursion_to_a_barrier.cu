// kernel: rounds   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=3,2
__device__ void descend(int rounds)
{
    if (rounds == 0) __syncthreads();             // (1)
    else descend(rounds - 1);                     // (2)
}
__global__ void rounds(float* out)
{
    out[threadIdx.x] = 0.0f;
    descend(threadIdx.x % 2);                     // (3)
}
