// kernel: count   grid: 1   block: 64
// args: in uint32[64] random, halves uint16[1664] poison
// expect: nothing
// check: halves == (lambda x, y, B, C: np.concatenate([C(x), [32 - int(v).bit_length() for v in x], [(int(v) & -int(v)).bit_length() for v in x], [int(B(v)[::-1], 2) for v in x], x * y >> 32, [((int(v) - 2**32 * (int(v) >> 31)) * int(w)) >> 32 & 0xffffffff for v, w in zip(x, y)], (x & 0xffffff) * (y & 0xffffff), x + y >> 1, x + y + 1 >> 1, (x << 32 | y) << 5 >> 32, (y << 32 | x) >> 7 & 0xffffffff, np.where(x > y, x - y, y - x) + 9, [int(f"{int(v):08x}"[2:4] + f"{int(w):08x}"[6:8] + f"{int(v):08x}"[6:8] + f"{int(w):08x}"[0:2], 16) for v, w in zip(x, y)]]).astype(np.uint64).astype(np.uint32).view(np.uint16))(in_.astype(np.uint64) * 90000000 % 2**32, (in_.astype(np.uint64) * 77777777 + 12345) % 2**32, lambda v: f"{int(v):032b}", lambda x: np.array([bin(int(v)).count("1") for v in x]))
__global__ void count(const unsigned* in, unsigned short* halves)
{
    unsigned* out = (unsigned*)halves + threadIdx.x;  // (compared as halves, exactly)
    unsigned x = in[threadIdx.x] * 90000000u, y = in[threadIdx.x] * 77777777u + 12345u;
    const unsigned results[13] = {
        (unsigned)__popc(x), (unsigned)__clz(x), (unsigned)__ffs(x), __brev(x), __umulhi(x, y), (unsigned)((long long)(int)x * y >> 32),
        __umul24(x, y), __uhadd(x, y), __urhadd(x, y), __funnelshift_l(y, x, 5), __funnelshift_r(x, y, 39), __usad(x, y, 9),
        __byte_perm(x, y, 0x2407)};
    for (int i = 0; i < 13; i++) out[64 * i] = results[i];
}
