// finds: nothing
// launch: grid=4, block=64, args=[ramp(4 * 256), empty(256)]

struct Particle {
    float x, y, z, mass;
};

// An array of structs: one field of four is used, and the sectors bring the other three.
__global__ void aos_one_field(const Particle* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i].mass;
}
