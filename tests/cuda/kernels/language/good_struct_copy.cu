// kernel: rotate   grid: 1   block: 32
// args: in float32[96] random, out float32[96] poison
// expect: nothing
// check: out == np.roll(in_.reshape(32, 3), 1, axis=1)
struct Vec
{
    float x, y, z;
};
__device__ Vec rolled(Vec v) { return {v.z, v.x, v.y}; }
__global__ void rotate(const float* in, float* out)
{
    __shared__ Vec s[32];
    s[threadIdx.x] = ((const Vec*)in)[threadIdx.x];
    __syncthreads();
    ((Vec*)out)[threadIdx.x] = rolled(s[threadIdx.x]);
}
