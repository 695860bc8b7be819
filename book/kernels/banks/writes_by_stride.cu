// finds: nothing
// launch: for stride in (1, 2, 3, 4, 8, 16, 31, 32, 33): grid=1, block=32, args=[empty(32), stride, 1]

// The same with writes; `stride` is not 0, or all lanes would write the same word.
__global__ void writes_by_stride(float* out, int stride, int rounds)
{
    __shared__ float tile[1024];
    int lane = threadIdx.x;

    volatile float* mine = &tile[lane * stride];  // else the compiler would write it once
    #pragma unroll 32
    for (int r = 0; r < rounds; ++r)
        *mine = lane + r;  // put
    out[lane + 32 * blockIdx.x] = *mine;
}
