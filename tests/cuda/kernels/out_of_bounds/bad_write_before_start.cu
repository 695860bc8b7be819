// kernel: shift_left   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: OutOfBounds lines=1 array=out index=-1 action=write bytes_outside=4
__global__ void shift_left(const float* in, float* out)
{
    int i = threadIdx.x;
    out[i - 1] = in[i];                           // (1)
}
