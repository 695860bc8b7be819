// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), ramp(256), ramp(256), ramp(256), ramp(256), ramp(256), 0.5]

// A struct of arrays: the same work as aos_move, in arrays of their own.
__global__ void soa_move(float* x, float* y, float* z, const float* vx, const float* vy, const float* vz, float dt)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
}
