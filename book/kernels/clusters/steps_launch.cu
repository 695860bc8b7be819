// finds: nothing
// launch: grid=8, block=32, args=[ramp(256), empty(256), 4]

// One step of a blur. A row has as many numbers as `blocks` blocks have
// threads; beyond its ends there are zeros.
__global__ void one_step(const float* now, float* next, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blocks * blockDim.x, at = i % row;

    float left = at > 0 ? now[i - 1] : 0.0f;
    float right = at < row - 1 ? now[i + 1] : 0.0f;
    next[i] = 0.25f * (left + 2 * now[i] + right);
}
