// kernel: largest   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=best space=local
__global__ void largest(const float* in, float* out)
{
    float best;
    auto keep = [&](float x) {
        if (x > 1000) best = x;
    };
    keep(in[threadIdx.x]);
    out[threadIdx.x] = best;  // (1)
}
