// finds: nothing
// launch: grid=(2, 2, 2), block=(8, 4, 4), args=[ramp(8, 8, 16), empty(8, 8, 16)]

// A volume of 8 x 8 x 16 in blocks of three dimensions.
__global__ void volume_3d(const float* in, float* out)
{
    int x = threadIdx.x + blockDim.x * blockIdx.x;
    int y = threadIdx.y + blockDim.y * blockIdx.y;
    int z = threadIdx.z + blockDim.z * blockIdx.z;
    int i = (z * 8 + y) * 16 + x;

    out[i] = in[i];
}
