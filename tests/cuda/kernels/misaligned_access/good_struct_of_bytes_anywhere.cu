// kernel: luma   grid: 1   block: 16
// args: in uint8[49] random, out int32[16] poison
// expect: nothing
// check: out == in_[1:].astype(int).reshape(16, 3).sum(axis=1)
struct Pixel { unsigned char r, g, b; };
__global__ void luma(const unsigned char* in, int* out)
{
    Pixel p = *(const Pixel*)(in + 1 + 3 * threadIdx.x);  // its alignment is one byte
    out[threadIdx.x] = p.r + p.g + p.b;
}
