// finds: nothing
// launch: grid=1, block=32, args=[ramp(128), empty(128)]

// Doubles 128 elements. A thread's four lie 32 apart.
__global__ void four_apart(const float* in, float* out)
{
    __shared__ float row[128];
    int lane = threadIdx.x;
    for (int i = lane; i < 128; i += 32) row[i] = in[i];
    __syncthreads();  // the row is whole (here each lane reads its own)
    for (int j = 0; j < 4; ++j) {
        float own = row[lane + 32 * j];  // take
        out[lane + 32 * j] = 2.0f * own;  // store
    }
}
