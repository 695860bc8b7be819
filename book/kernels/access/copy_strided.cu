// finds: nothing
// launch: for stride in range(1, 34): grid=4, block=64, args=[ramp(33 * 256), empty(256), stride]

// Neighboring threads load elements that are `stride` apart.
__global__ void copy_strided(const float* in, float* out, int stride)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[stride * i];
}
