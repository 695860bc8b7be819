// prints: 0
// What inline PTX computes, of many values; a GPU's results were never compared. It prints how many of its checks fail:
// each compares an instruction with C++ that says the same in another way.
#include <cstdio>

__device__ unsigned failed;

__device__ void same(unsigned long long a, unsigned long long b)
{
    if (a != b) atomicAdd(&failed, 1);
}

#define ONE(name, a, b, c) ({ unsigned r; asm(name " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; })

__device__ unsigned bits(unsigned a, unsigned from, unsigned length, bool sign)
{
    unsigned d = 0, last = from + length - 1 < 31 ? from + length - 1 : 31;
    for (unsigned i = 0; i < 32; i++) {
        bool inside = i < length && from + i <= 31;
        unsigned bit = inside ? a >> (from + i) & 1 : sign && length && (a >> last & 1);
        d |= bit << i;
    }
    return d;
}

__global__ void numbers(unsigned seed)
{
    unsigned a = (seed + threadIdx.x) * 2654435761u, b = a * 40503u + 12345u, n = threadIdx.x % 70, r, s;
    unsigned long long wide;
    for (unsigned length : {0u, 1u, 7u, 31u, 32u, 33u, 255u}) {
        same(ONE("bfe.u32", a, n, length), bits(a, n, length, false));
        same(ONE("bfe.s32", a, n, length), bits(a, n, length, true));
        unsigned field = length < 32 ? (1u << length) - 1 : ~0u, moved = n < 32 ? field << n : 0;
        asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(n), "r"(length));
        same(r, (b & ~moved) | ((n < 32 ? a << n : 0) & moved));
    }
    same(ONE("prmt.b32", a, b, 0x8F21), (a >> 8 & 255) | (a >> 8 & 0xFF00) | (int(b) < 0 ? 0xFF0000u : 0) | (a & 128 ? 0xFF000000u : 0));
    same(ONE("prmt.b32.b4e", a, b, 0), (a & 255) | (b >> 24) << 8 | (b >> 16 & 255) << 16 | (b >> 8 & 255) << 24);
    same(ONE("shf.l.clamp.b32", a, b, n), n < 32 ? (n ? b << n | a >> (32 - n) : b) : a);
    same(ONE("shf.r.wrap.b32", a, b, n), n % 32 ? a >> n % 32 | b << (32 - n % 32) : a);
    same(ONE("sad.s32", a, b, n), n + (int(a) < int(b) ? b - a : a - b));
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(1ull << 40));
    same(wide, (long long)int(a) * int(b) + (1ll << 40));
    asm("{ .reg .s32 t; shl.b32 t, %1, %2; shr.s32 %0, t, %2; }" : "=r"(r) : "r"(a), "r"(n));
    same(r, n < 32 ? unsigned(int(a << n) >> n) : 0);
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(int(a) >> n % 32));
    same(r, unsigned(max(-128, min(127, int(a) >> n % 32))));
    asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; cvt.s32.s8 lo, lo; xor.b32 %0, lo, hi; }"
        : "=r"(r) : "l"((unsigned long long)a << 32 | b));
    same(r, a ^ unsigned(int((signed char)b)));
    asm("{ .reg .pred p, q; setp.hi.u32 p|q, %2, %3; selp.u32 %0, %2, %3, p; mov.u32 %1, 0; @q mov.u32 %1, 1; }"
        : "=r"(r), "=r"(s) : "r"(a), "r"(b));
    same(r, max(a, b));
    same(s, a <= b);
    asm("{ .reg .pred p; setp.ne.f32 p, %1, 0f7FC00000; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(1.0f));
    same(r, 0);
}

__global__ void warps()
{
    __shared__ __align__(16) unsigned a[128];
    unsigned t = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(a), x, y, z, w;
    asm volatile("st.shared.v4.u32 [%0], {%1, %1, 5, %1};" :: "r"(at + 16 * t), "r"(t) : "memory");
    __syncwarp();
    asm volatile("ld.volatile.shared.v2.b32 {%0, %1}, [%2+8];" : "=r"(x), "=r"(y) : "r"(at + 16 * (t ^ 1)) : "memory");
    same(x, 5), same(y, t ^ 1);
    __syncwarp();
    asm volatile("atom.shared.add.u32 %0, [%1+4], 3;" : "=r"(x) : "r"(at) : "memory");
    asm volatile("red.relaxed.cta.shared.max.u32 [%0+8], %1;" :: "r"(at), "r"(t) : "memory");
    asm volatile("atom.shared.cas.b32 _, [%0+12], 0, %1;" :: "r"(at), "r"(t) : "memory");
    same(x % 3, 0);
    __syncwarp();
    same(a[1], 96), same(a[2], 31);
    for (unsigned c : {0x1fu, 0x181fu, 0x1c03u, 0x1800u})
        for (unsigned b : {0u, 3u, 18u}) {
            unsigned segment = c >> 8 & 31, last = (t & segment) | (c & 31 & ~segment);
            asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, %4, -1; selp.u32 %1, 1, 0, p; }"
                         : "=r"(x), "=r"(y) : "r"(7 * t), "r"(b), "r"(c));
            same(y, t + b <= last), same(x, 7 * (t + b <= last ? t + b : t));
            asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, -1;" : "=r"(x) : "r"(7 * t), "r"(b), "r"(c));
            same(x, 7 * (int(t - b) >= int(last) ? t - b : t));
        }
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 9; vote.sync.ballot.b32 %0, !p, -1; @p add.u32 %1, %2, 1; @!p mov.u32 %1, 0; }"
                 : "=r"(x), "=r"(y) : "r"(t));
    same(x, ~511u), same(y, t < 9 ? t + 1 : 0);
    asm volatile("match.any.sync.b32 %0, %3, -1; redux.sync.add.u32 %1, %4, -1; activemask.b32 %2;"
                 : "=r"(z), "=r"(w), "=r"(x) : "r"(t / 8), "r"(t));
    same(z, 255u << t / 8 * 8), same(w, 496), same(x, ~0u);
}

int main()
{
    for (unsigned seed = 0; seed < 1000000; seed += 250000) numbers<<<1, 256>>>(seed);
    warps<<<1, 32>>>();
    unsigned found = ~0u;
    if (cudaMemcpyFromSymbol(&found, failed, sizeof found)) return 1;
    printf("%u\n", found);
}
