// finds: nothing
// launch: grid=4, block=64, args=[ramp(6 * 256), 0.5]

struct Particle {
    float x, y, z, vx, vy, vz;
};

// An array of structs, each field by name.
__global__ void aos_move(Particle* p, float dt)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
}
