// kernel: half   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=1,2 scope=block exited=0 threads=64
// expect: Race lines=3,4 array=s
__global__ void half(float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;                       // (3)
    if (threadIdx.x < 20) {
        __syncthreads();                          // (1)
    }
    out[threadIdx.x] = s[63 - threadIdx.x];       // (4)
    __syncthreads();                              // (2)
}
