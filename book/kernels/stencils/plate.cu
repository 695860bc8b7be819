// finds: nothing
// launch: grid=(3, 3), block=(8, 4), args=[ramp(14, 26), empty(12, 24)]

// A step of heat in a plate of 12 x 24 elements. `in` has a frame of one element around it.
__global__ void plate(const float* in, float* out)
{
    int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    const float* own = in + 26 * (y + 1) + x + 1;

    out[24 * y + x] = 0.5f * own[0] + 0.125f * (own[-1] + own[1] + own[-26] + own[26]);  // step
}
