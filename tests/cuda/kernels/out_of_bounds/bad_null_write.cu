// kernel: pick   grid: 1   block: 4
// args: out int32[4] poison, n int32 9
// expect: OutOfBounds lines=1 null=True action=write
__device__ int* find(int* out, int n) { return n < 4 ? out + n : nullptr; }
__global__ void pick(int* out, int n)
{
    *find(out, n) = 1;                            // (1)
}
