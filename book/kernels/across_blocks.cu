// finds: Race
// launch: grid=2, block=128, args=[ramp(256), empty(256), empty(256)]

// Rotates 256 elements by 128 places, by way of global memory.
__global__ void rotate_blocks(const float* in, float* buffer, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    buffer[i] = in[i];
    __syncthreads();
    out[i] = buffer[(i + 128) % 256];
}
