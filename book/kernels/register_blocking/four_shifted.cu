// finds: MisalignedAccess
// launch: grid=1, block=30, args=[ramp(4, 30), empty(30)]

// Adds up the elements of each column, four neighbors at once, in a matrix with rows of 30.
__global__ void four_shifted(const float* in, float* out)
{
    int column = 4 * threadIdx.x;
    if (column + 4 > 30) return;
    float4 sum = {};
    for (int row = 0; row < 4; ++row) {
        float4 v = *(const float4*)&in[30 * row + column];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    *(float4*)&out[column] = sum;
}
