// finds: nothing
// launch: grid=1, block=64, args=[ramp(32), empty(32)]

// Warp 0 arrives at the block's barrier 1, warp 1 waits there: 64 threads.
__global__ void named(const float* in, float* out)
{
    __shared__ float slot[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        slot[lane] = in[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = slot[31 - lane];
    }
}
