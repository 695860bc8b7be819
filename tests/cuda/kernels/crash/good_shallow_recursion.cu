// kernel: factorial   grid: 1   block: 10
// args: out int32[10] poison
// expect: nothing
// check: out == [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880]
__device__ int product(int n)
{
    return n < 2 ? 1 : n * product(n - 1);
}
__global__ void factorial(int* out)
{
    out[threadIdx.x] = product(threadIdx.x);
}
