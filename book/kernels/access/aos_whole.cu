// finds: nothing
// launch: grid=4, block=64, args=[ramp(4 * 256), empty(4 * 256)]

struct Particle {
    float x, y, z, mass;
};

// A struct copied whole; nothing says that it is aligned to 16 bytes, so it goes float by float.
__global__ void aos_whole(const Particle* in, Particle* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
