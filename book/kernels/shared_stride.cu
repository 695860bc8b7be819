// finds: nothing; without barrier 1: Race
// launch: for stride in (2, 1, 3, 32, 0): grid=1, block=32, args=[ramp(1024), empty(32), stride]

// Takes every `stride`-th element of a shared array; `stride` is 0 to 33.
__global__ void shared_stride(const float* in, float* out, int stride)
{
    __shared__ float tile[1024];
    int lane = threadIdx.x;

    for (int i = lane; i < 1024; i += 32)
        tile[i] = in[i];  // fill
    __syncthreads();  // barrier 1: the tile is whole
    out[lane] = tile[lane * stride];  // take
}
