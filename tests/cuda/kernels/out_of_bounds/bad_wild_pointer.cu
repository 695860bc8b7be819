// kernel: follow   grid: 1   block: 32
// args: address uint64[1] arange, out float32[32] poison
// expect: OutOfBounds lines=1 action=read null=False
__global__ void follow(const unsigned long long* address, float* out)
{
    out[threadIdx.x] = *(const float*)(address[0] + (0x123456ull << 24)); // (1)
}
