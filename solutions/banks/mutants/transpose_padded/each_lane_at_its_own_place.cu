// rejected by: is_coalesced
// No tile: each lane loads down a column of in, at a place of its own in the text, so that no two of them are one request;
// and the first lane of each warp loads wide numbers besides, which nobody needs.
template <int LANE> __device__ float load(int lane, const volatile float* from)
{
    if constexpr (LANE < 32)
        return lane == LANE ? *from : load<LANE + 1>(lane, from);
    return 0;
}

__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    __shared__ float unused[8][32];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y + x;
    unused[y][x] = 0;
    for (int col = 32 * blockIdx.x + y; col < min(cols, 32 * (int)blockIdx.x + 32); col += 8) {
        if (row >= rows)
            continue;
        out[col * rows + row] = load<0>(x, in + row * cols + col);
        volatile float kept;
        for (int k = 0; k < 2 && x == 0 && rows * cols >= 4; ++k) {
            float4 four = *(const float4*)in;
            kept = four.x;
        }
    }
}
