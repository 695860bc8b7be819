// kernel: sums   grid: 1   block: 8
// args: in int32[17] random, out int32[8] poison
// expect: nothing
// check: out == in_[1:].reshape(8, 2).sum(axis=1)
struct Pair { int a, b; };  // its alignment is that of an int
__device__ int sum(Pair p) { return p.a + p.b; }
__global__ void sums(const int* in, int* out)
{
    __shared__ int s[17];
    for (int i = threadIdx.x; i < 17; i += 8) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = sum(*(const Pair*)&s[2 * threadIdx.x + 1]);
}
