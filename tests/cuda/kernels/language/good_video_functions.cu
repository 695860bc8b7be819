// kernel: lanes   grid: 1   block: 64
// args: in uint32[64] random, out uint16[1536] poison
// expect: nothing
// check: out == (lambda x, y, s, u, S, U: (lambda V: np.concatenate([V(u(x) + u(y), np.uint8), V(np.clip(s(x) + s(y), -128, 127), np.int8), V(np.clip(u(x) - u(y), 0, 255), np.uint8), V(abs(u(x) - u(y)), np.uint8), V((u(x) + u(y) + 1) // 2, np.uint8), V(np.maximum(s(x), s(y)), np.int8), V(np.where(s(x) > s(y), 255, 0), np.uint8), V(np.where(u(x) <= u(y), 1, 0), np.uint8), V(S(x) - S(y), np.int16), V(np.clip(abs(S(x)), 0, 32767), np.int16), V(np.minimum(U(x), U(y)), np.uint16), np.array(abs(u(x) - u(y)).reshape(-1, 4).sum(axis=1), np.uint32).view(np.uint16)]))(lambda v, t: v.astype(np.int64).astype(t).view(np.uint16)))((in_ * np.uint32(90000001)).astype(np.uint32), (in_ * np.uint32(70707071) + np.uint32(12345)).astype(np.uint32), lambda v: v.view(np.int8).astype(int), lambda v: v.view(np.uint8).astype(int), lambda v: v.view(np.int16).astype(int), lambda v: v.view(np.uint16).astype(int))
__global__ void lanes(const unsigned* in, unsigned short* halves)
{
    unsigned* out = (unsigned*)halves + threadIdx.x;  // (compared as halves, exactly)
    unsigned x = in[threadIdx.x] * 90000001u, y = in[threadIdx.x] * 70707071u + 12345u;
    const unsigned results[12] = {
        __vadd4(x, y), __vaddss4(x, y), __vsubus4(x, y), __vabsdiffu4(x, y), __vavgu4(x, y), __vmaxs4(x, y),
        __vcmpgts4(x, y), __vsetleu4(x, y), __vsub2(x, y), __vabsss2(x), __vminu2(x, y), __vsadu4(x, y)};
    for (int i = 0; i < 12; i++) out[64 * i] = results[i];
}
