// finds: nothing
// launch: grid=1, block=(32, 32), args=[ramp(32, 32), empty(32, 32)]

// Turns the rows of a matrix of 32 x 32 into columns.
__global__ void transpose_direct(const float* in, float* out)
{
    int x = threadIdx.x;
    int y = threadIdx.y;

    float value = in[y * 32 + x];  // load: a warp reads along a row
    out[x * 32 + y] = value;       // store: and writes down a column
}
