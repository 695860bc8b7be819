// kernel: sum   grid: 1   block: 8
// args: in int32[16] random, out int32[8] poison
// expect: nothing
// check: out == in_.reshape(8, 2).sum(axis=1)
struct __align__(8) Pair { int a, b; };
__global__ void sum(const int* in, int* out)
{
    Pair p = *(const Pair*)(in + 2 * threadIdx.x);
    out[threadIdx.x] = p.a + p.b;
}
