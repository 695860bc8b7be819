// finds: nothing
// launch: grid=1, block=32, args=[16 - ramp(32), empty(32), zeros("int32", 1)]

// Copies the positive ones of 32 elements to out, in order. One warp.
__global__ void keep_positive(const float* in, float* out, int* count)
{
    int lane = threadIdx.x;
    float mine = in[lane];

    // A bit for each lane; then how many lanes before this one have it.
    unsigned int kept = __ballot_sync(0xffffffff, mine > 0.0f);
    int before = __popc(kept & ((1u << lane) - 1));
    if (mine > 0.0f) out[before] = mine;
    if (lane == 0) *count = __popc(kept);
}
