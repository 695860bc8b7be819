// kernel: table   grid: 1   block: 32
// args: out float32[32] poison
// expect: nothing
// check: out == np.arange(32) ** 2 + 3 + 0.5
struct Scale { float factor, shift; };
__device__ __managed__ float shift = 3.0f;
__device__ float squares[32];
__constant__ Scale scale = {1.0f, 0.5f};
template <class T> __device__ T half_of = T(0.5);
__global__ void table(float* out)
{
    int i = threadIdx.x;
    squares[i] = i * i * scale.factor;
    out[i] = squares[i] + shift + scale.shift * 2 * half_of<float>;
}
