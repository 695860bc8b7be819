// finds: nothing
// launch: grid=2, block=32, args=[numbers('float32', 64), numbers('float32', 64), empty(64)]

// The speed of each particle, from an array for each coordinate.
__global__ void speed_arrays(
    const float* vx, const float* vy, float* speed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    float a = vx[i];  // load vx
    float b = vy[i];  // load vy
    speed[i] = sqrtf(a * a + b * b);  // store
}
