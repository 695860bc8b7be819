// finds: nothing
// launch: grid=2, block=32, args=[numbers('float32', 4 * 64), empty(64)]

struct Particle { float x, y, vx, vy; };

// The speed of each particle, from an array of structs.
__global__ void speed_structs(const Particle* particles, float* speed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    float vx = particles[i].vx;  // load vx
    float vy = particles[i].vy;  // load vy
    speed[i] = sqrtf(vx * vx + vy * vy);  // store
}
