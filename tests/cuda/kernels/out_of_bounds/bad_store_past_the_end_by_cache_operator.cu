// kernel: put   grid: 1   block: 33
// args: out float32[32] poison
// expect: OutOfBounds lines=1 array=out index=32 action=write
__global__ void put(float* out)
{
    __stcg(&out[threadIdx.x], 1.0f);              // (1)
}
