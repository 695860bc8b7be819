// kernel: build   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct=__shared__
struct Pair
{
    float a, b;
    __device__ Pair() : a(1.0f), b(2.0f) {}
};
__global__ void build(float* out)
{
    __shared__ Pair pair;                         // (1)
    out[threadIdx.x] = pair.a;
}
