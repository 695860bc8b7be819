// kernel: brain   grid: 1   block: 64
// args: in float32[64] arange, out float32[192] poison, bits uint16[64] poison
// expect: nothing
// check: out == np.concatenate([in_ * 2, in_ + 1, ((np.sqrt(in_).view(np.uint32) + 0x7fff + (np.sqrt(in_).view(np.uint32) >> 16 & 1)) & 0xffff0000).view(np.float32)])
// check: bits == ((in_ + np.float32(0.123)).view(np.uint32) + 0x7fff + ((in_ + np.float32(0.123)).view(np.uint32) >> 16 & 1)) >> 16
#include <cuda_bf16.h>
__global__ void brain(const float* in, float* out, unsigned short* bits)
{
    int i = threadIdx.x;
    __nv_bfloat16 x = __float2bfloat16(in[i]);
    out[i] = __bfloat162float(x * __float2bfloat16(2.0f));
    out[64 + i] = __bfloat162float(__hadd(x, __float2bfloat16(1.0f)));
    out[128 + i] = __bfloat162float(hsqrt(x));
    bits[i] = __bfloat16_as_ushort(__float2bfloat16(in[i] + 0.123f));
}
