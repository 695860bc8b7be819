// kernel: wave   grid: 1   block: 32
// args: in float32[32] random, sines float32[32] poison, cosines float32[31] poison
// expect: OutOfBounds lines=1 array=cosines index=31 action=write
__global__ void wave(const float* in, float* sines, float* cosines)
{
    int t = threadIdx.x;
    sincosf(in[t], &sines[t], &cosines[t]);       // (1)
}
