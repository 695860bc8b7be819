// kernel: hand_over   grid: 1   block: 128
// args: in float32[512] random, out float32[512] poison
// expect: nothing
// check: out == in_.reshape(8, 64)[:, ::-1]
__global__ void hand_over(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    for (int phase = 0; phase < 8; phase++) {
        if (t < 64) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            tile[t] = in[64 * phase + t];
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        } else {
            if (phase == 0) asm volatile("barrier.cta.arrive.aligned 2, %0;" :: "n"(128) : "memory");
            asm volatile("bar.sync 1, %0;" :: "r"(128) : "memory");
            out[64 * phase + t - 64] = tile[127 - t];
            if (phase < 7) asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}
