// finds: nothing
// launch: grid=4, block=64, args=[ramp(4 * 256), empty(4 * 256)]

struct __align__(16) Particle {
    float x, y, z, mass;
};

// The same with its alignment declared.
__global__ void aos_aligned(const Particle* in, Particle* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
