// kernel: copy   grid: 1   block: 64   shared_mem: 128
// args: in float32[64] random, out float32[64] poison
// expect: OutOfBounds lines=1 array=buffer index=32 shape=32 space=shared thread=32,0,0
__global__ void copy(const float* in, float* out)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = in[threadIdx.x];        // (1)
    __syncthreads();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
}
