// kernel: convert   grid: 1   block: 16
// args: in float64[16] arange, whole int32[64] poison, bits uint16[256] poison, ends int64[8] poison
// expect: nothing
// check: whole == (lambda x: np.concatenate([np.rint(x), np.trunc(x), np.ceil(x), np.floor(x)]))(in_ * 0.5 - 3.75)
// check: bits == (lambda v: (lambda n, i: np.concatenate([n, np.where(n > v, np.nextafter(n, np.float32(0)), n), np.where(n < v, np.nextafter(n, i), n), np.where(n > v, np.nextafter(n, -i), n), (in_.astype(np.int64) * 0 + 16777217 + in_.astype(np.int64)).astype(np.float32), (16777216 + (in_.astype(np.int64) + 2) // 2 * 2).astype(np.float32), (in_ * 0 + 9223372036854775808.0).astype(np.float32), (in_ * 0 + 9223371487098961920.0).astype(np.float32)]).view(np.uint16))(v.astype(np.float32), np.float32(np.inf)))(in_ * 0.1)
// check: ends == [2147483647, -2147483648, 0, 0, 4294967295, 9223372036854775807, -9223372036854775807 - 1, -9223372036854775807 - 1]
__global__ void convert(const double* in, int* whole, unsigned short* bits, long long* ends)
{
    int t = threadIdx.x;
    float f = in[t] * 0.5 - 3.75;
    whole[t] = __float2int_rn(f);
    whole[16 + t] = __float2int_rz(f);
    whole[32 + t] = __double2int_ru(f);
    whole[48 + t] = __double2int_rd(f);
    float* out = (float*)bits + t;
    double d = __dmul_rn(in[t], 0.1);
    out[0] = __double2float_rn(d);
    out[16] = __double2float_rz(d);
    out[32] = __double2float_ru(d);
    out[48] = __double2float_rd(d);
    out[64] = __int2float_rn(16777217 + t);
    out[80] = __uint2float_ru(16777217u + t);
    out[96] = __ull2float_ru(9223372036854775807ull);
    out[112] = __ll2float_rz(9223372036854775807ll);
    if (t > 0) return;
    // Beyond a type's range it is held to its ends; NaN becomes 0, or the least number of 64 bits.
    ends[0] = __float2int_rn(3e9f);
    ends[1] = __float2int_rz(-3e9f);
    ends[2] = __float2int_rn(NAN);
    ends[3] = __float2uint_rn(-1.0f);
    ends[4] = __double2uint_rd(5e9);
    ends[5] = __float2ll_rn(1e20f);
    ends[6] = __double2ll_rn(-1e20);
    ends[7] = __float2ll_rn(NAN);
}
