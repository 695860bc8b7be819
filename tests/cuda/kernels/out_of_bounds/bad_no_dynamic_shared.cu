// kernel: copy   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: OutOfBounds lines=1 array=buffer index=0 shape=0 space=shared
__global__ void copy(const float* in, float* out)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = in[threadIdx.x];        // (1)
    __syncthreads();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
}
