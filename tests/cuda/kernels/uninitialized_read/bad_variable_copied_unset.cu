// kernel: pipeline   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=now space=local
__global__ void pipeline(const float* in, float* out)
{
    float now = 0, next;
    for (int i = 0; i < 2; ++i) {
        out[threadIdx.x] = now;  // (1)
        now = next;
        next = in[threadIdx.x];
    }
}
