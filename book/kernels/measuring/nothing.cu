// finds: nothing
// launch: grid=1, block=32, args=[ramp(1)]

// As short as a kernel can be.
__global__ void nothing(float* out)
{
}
