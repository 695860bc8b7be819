// finds: nothing
// launch: grid=1, block=32, args=[ramp(32 * 32), empty(32), 32, 33]

// One warp fills a tile of 32 rows along its rows, and then reads its first column. A row has `width` words
// that are used, and `pitch` words altogether.
__global__ void column_of_tile(const float* in, float* out, int width, int pitch)
{
    __shared__ float tile[32 * 72];
    int lane = threadIdx.x;

    for (int i = lane; i < 32 * width; i += 32)
        tile[i / width * pitch + i % width] = in[i];
    __syncwarp();
    out[lane] = tile[lane * pitch];
}
