// kernel: scale<float,3>   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: nothing
// check: out == 3 * in_
template <typename T, int FACTOR>
__global__ void scale(const T* in, T* out)
{
    out[threadIdx.x] = FACTOR * in[threadIdx.x];
}
