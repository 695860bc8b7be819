// kernel: paths   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: nothing
// check: out == in_ * 2 + 3
__device__ void both(float x, float& once, float* twice)
{
    once = x;
    *twice = 2 * x;
}
__global__ void paths(const float* in, float* out)
{
    int i = threadIdx.x;
    float x;
    if (i < 32)
        x = in[i];
    float once, twice, sine, cosine;
    both(in[i], once, &twice);
    sincosf(0, &sine, &cosine);
    int last;  // the loop has rounds
    for (int k = 0; k < 4; ++k)
        last = k;
    // Loaded ahead: in the last round there is nothing to load, and nobody uses the copy.
    float sum = 0, now = 1;
    for (int k = 0; k < 2; ++k) {
        float next;
        if (k < 1)
            next = 2;
        sum += now;
        now = next;
    }
    // A shuffle from the only lane that has set it.
    float three;
    if (i % 32 == 0)
        three = last;
    three = __shfl_sync(~0u, three, 0);
    out[i] = (i < 32 ? 2 * x : twice) + three * cosine + sine + (sum - 3) + 0 * once;
}
