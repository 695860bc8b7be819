// kernel: sides   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=1,2 scope=block exited=0 threads=64
__global__ void sides(float* out)
{
    if (threadIdx.x % 2 == 0) {
        out[threadIdx.x] = 0.0f;
        __syncthreads();                          // (1)
    } else {
        out[threadIdx.x] = 1.0f;
        __syncthreads();                          // (2)
    }
}
