// kernel: maybe   grid: 1   block: 32
// args: out float32[32] poison, n int32 16
// expect: OutOfBounds lines=1 null=True action=write thread=16,0,0
__device__ float* slot(float* out, int i, int n)
{
    return i < n ? out + i : nullptr;
}
__global__ void maybe(float* out, int n)
{
    *slot(out, threadIdx.x, n) = 1.0f;            // (1)
}
