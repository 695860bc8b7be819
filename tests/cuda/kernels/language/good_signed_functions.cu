// kernel: products   grid: 1   block: 64
// args: in int32[64] random, out int32[704] poison
// expect: nothing
// check: out == (lambda x, y: (lambda b, c, h: np.concatenate([(x * y) >> 32, ((x + 2**23) % 2**24 - 2**23) * ((y + 2**23) % 2**24 - 2**23) + 2**31 & 0xffffffff, x + y >> 1, x + y + 1 >> 1, abs(x - y) + 9 + 2**31 & 0xffffffff, (b * c).sum(axis=1) + 5, (b.astype(np.uint8).astype(int) * c.astype(np.uint8)).sum(axis=1) + 5, (h * c[:, :2]).sum(axis=1) + 5, (h * c[:, 2:]).sum(axis=1) + 5, np.minimum(x, y), np.maximum(np.maximum(x + 5, y), 0)]))(x.astype(np.int32).view(np.int8).reshape(-1, 4).astype(int), y.astype(np.int32).view(np.int8).reshape(-1, 4).astype(int), x.astype(np.int32).view(np.int16).reshape(-1, 2).astype(int)))((in_.astype(np.int64) * 99999999 + 2**31) % 2**32 - 2**31, (in_.astype(np.int64) * -1234567 + 777 + 2**31) % 2**32 - 2**31).astype(np.int64) - np.where(np.arange(704) // 64 == 1, 2**31, 0) - np.where(np.arange(704) // 64 == 4, 2**31, 0)
__global__ void products(const int* in, int* out)
{
    int x = (int)(in[threadIdx.x] * 99999999u), y = (int)(in[threadIdx.x] * -1234567u + 777u);
    const int results[11] = {
        __mulhi(x, y), __mul24(x, y), __hadd(x, y), __rhadd(x, y), (int)__sad(x, y, 9), __dp4a(x, y, 5),
        (int)__dp4a((unsigned)x, (unsigned)y, 5u), __dp2a_lo(x, y, 5), __dp2a_hi(x, y, 5), min(x, y), __viaddmax_s32_relu(x, 5, y)};
    for (int i = 0; i < 11; i++) out[64 * i + threadIdx.x] = results[i];
}
