// For inline PTX, which compiler/ptx.py turns into calls of these.
#pragma once

// ---- registers -------------------------------------------------------------------------------------------
using emu_u8 = unsigned char;
using emu_s8 = signed char;
using emu_u16 = unsigned short;
using emu_s16 = short;
using emu_u32 = unsigned;
using emu_s32 = int;
using emu_u64 = unsigned long;
using emu_s64 = long;
using emu_f32 = float;
using emu_f64 = double;
// An operand "n", or a number among the instructions.
struct emu_immediate {
    unsigned long emu_bits;
    template <class T> EMU_RAW constexpr emu_immediate(T v) : emu_bits(v) {
        static_assert(__is_integral(T) || __is_enum(T), "an operand \"n\" must be a whole number");
    }
    EMU_RAW constexpr operator unsigned long() const { return emu_bits; }
};
// What a register holds that nobody has written.
template <class R> EMU_INLINE R emu_unset() { return R(0xaaaaaaaaaaaaaaaaul); }
// A register as an instruction takes it. `BITS`: of whatever type; `PART`: the instruction may take a part of it.
template <class T, bool BITS, bool PART = false, class R> EMU_INLINE T emu_as(R v) {
    if constexpr (__is_same(R, emu_immediate)) {
        static_assert(!__is_floating_point(T), "a number among PTX instructions for floating-point numbers must be a register");
        return (T)v.emu_bits;
    } else {
        static_assert(sizeof(T) == sizeof(R) || (PART && sizeof(T) < sizeof(R) && !__is_floating_point(T)),
                      "a PTX instruction's type must be as wide as its registers");
        static_assert(BITS || __is_floating_point(T) || !__is_floating_point(R),
                      "a PTX instruction for integers must not get a register for floating-point numbers");
        if constexpr (sizeof(T) == sizeof(R)) return __builtin_bit_cast(T, v);
        else return (T)v;
    }
}
template <class R, class T, bool BITS, bool PART> EMU_INLINE R emu_result(T v) {
    static_assert(sizeof(T) == sizeof(R) || (PART && sizeof(T) < sizeof(R) && !__is_floating_point(T) && !__is_floating_point(R)),
                  "a PTX instruction's type must be as wide as its registers");
    static_assert(BITS || __is_floating_point(T) || !__is_floating_point(R),
                  "a PTX instruction for integers must not get a register for floating-point numbers");
    if constexpr (sizeof(T) == sizeof(R)) return __builtin_bit_cast(R, v);
    else return (R)v;
}

// ---- special registers, and arithmetic -----------------------------------------------------------------
EMU_FN unsigned emu_ptx_laneid() {
    EmuIndex t = emu_index->thread;
    return (t.x + emu_shape.block.x * (t.y + emu_shape.block.y * t.z)) & 31u;
}
EMU_FN unsigned emu_ptx_lanemask_eq() { return 1u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_lanemask_lt() { return (1u << emu_ptx_laneid()) - 1u; }
EMU_FN unsigned emu_ptx_lanemask_le() { return (2u << emu_ptx_laneid()) - 1u; }
EMU_FN unsigned emu_ptx_lanemask_ge() { return ~0u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_lanemask_gt() { return ~1u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_clock() { return unsigned(emu_clock()); }
EMU_FN unsigned long emu_ptx_clock64() { return (unsigned long)emu_clock(); }
EMU_FN unsigned long emu_ptx_globaltimer() { return (unsigned long)emu_clock(); }
#define EMU_SPECIAL(name, index)                               \
    EMU_FN unsigned emu_ptx_##name##_x() { return (index).x; } \
    EMU_FN unsigned emu_ptx_##name##_y() { return (index).y; } \
    EMU_FN unsigned emu_ptx_##name##_z() { return (index).z; }
EMU_SPECIAL(tid, emu_index->thread)
EMU_SPECIAL(ntid, emu_shape.block)
EMU_SPECIAL(ctaid, emu_index->block)
EMU_SPECIAL(nctaid, emu_shape.grid)
#undef EMU_SPECIAL
EMU_FN float emu_ptx_ex2(float v) { return exp2f(v); }
EMU_FN float emu_ptx_lg2(float v) { return log2f(v); }
EMU_FN float emu_ptx_rcp(float v) { return 1.0f / v; }
EMU_FN float emu_ptx_rsqrt(float v) { return rsqrtf(v); }
EMU_FN float emu_ptx_sqrt(float v) { return sqrtf(v); }
EMU_FN float emu_ptx_tanh(float v) { return tanhf(v); }
EMU_FN float emu_ptx_sin(float v) { return sinf(v); }
EMU_FN float emu_ptx_cos(float v) { return cosf(v); }
EMU_FN float emu_ptx_fma(float a, float b, float c) { return fmaf(a, b, c); }
EMU_FN double emu_ptx_fma(double a, double b, double c) { return fma(a, b, c); }
template <class T> EMU_FN T emu_ptx_mad(T a, T b, T c) { return a * b + c; }
template <class T> EMU_FN T emu_ptx_min(T a, T b) { return a < b ? a : b; }
template <class T> EMU_FN T emu_ptx_max(T a, T b) { return a > b ? a : b; }
EMU_FN unsigned emu_ptx_bfind(unsigned v) { return 31u - unsigned(__clz(int(v))); }
EMU_FN unsigned emu_ptx_vabsdiff4(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + c; }
template <unsigned TABLE> EMU_FN unsigned emu_lop3(unsigned a, unsigned b, unsigned c) {
    unsigned out = 0;
    for (unsigned i = 0; i < 8; i++)
        if ((TABLE >> i) & 1) out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}

// ---- barriers and warps --------------------------------------------------------------------------------
EMU_CALL void emu_ptx_barrier() { emu_barrier(EMU_SITE); }
EMU_CALL void emu_ptx_warp_barrier(unsigned mask) { emu_warp_barrier(mask, EMU_SITE); }
EMU_INLINE unsigned emu_ptx_idx(unsigned mask, unsigned v, unsigned lane) { return __shfl_sync(mask, v, int(lane)); }
EMU_INLINE unsigned emu_ptx_up(unsigned mask, unsigned v, unsigned delta) { return __shfl_up_sync(mask, v, delta); }
EMU_INLINE unsigned emu_ptx_down(unsigned mask, unsigned v, unsigned delta) { return __shfl_down_sync(mask, v, delta); }
EMU_INLINE unsigned emu_ptx_bfly(unsigned mask, unsigned v, unsigned lanes) { return __shfl_xor_sync(mask, v, int(lanes)); }
EMU_CALL void emu_ptx_trap() { emu_trap("__trap()", EMU_SITE); }

// ---- approximations of numbers of 16 bits, of the bits of one number, and of two -------------------------
#define EMU_APPROXIMATION(name, expr)                                                             \
    template <int FRACTION, int EXPONENT> EMU_FN unsigned emu_half_##name(unsigned bits) {        \
        double a = emu_widen((unsigned short)bits, FRACTION, EXPONENT);                           \
        return emu_narrow(expr, FRACTION, EXPONENT, EMU_RN);                                      \
    }                                                                                             \
    template <int FRACTION, int EXPONENT> EMU_FN unsigned emu_two_##name(unsigned bits) {         \
        return emu_half_##name<FRACTION, EXPONENT>(bits) | emu_half_##name<FRACTION, EXPONENT>(bits >> 16) << 16; \
    }
EMU_APPROXIMATION(ex2, exp2(a)) EMU_APPROXIMATION(tanh, tanh(a))
#undef EMU_APPROXIMATION

// ---- loads and stores ----------------------------------------------------------------------------------
extern "C" EMU_DEVICE void emu_check_global(const void* pointer, const void* site);
template <class R> EMU_FN unsigned long emu_address(R v) {
    static_assert(sizeof(R) == 8 && !__is_floating_point(R), "an address of global memory in PTX must be an operand \"l\"");
    return v;
}
EMU_CALL unsigned long emu_global_at(unsigned long at) {
    emu_check_global((const void*)at, EMU_SITE);
    return at;
}
template <class T, bool> EMU_INLINE T emu_ptx_ld(unsigned long at) { return *(const T*)at; }
template <class T, bool> EMU_INLINE T emu_ptx_ld_nc(unsigned long at) {
    emu_load_read_only((const void*)at, sizeof(T));
    return *(const T*)at;
}
template <class T, bool> EMU_INLINE T emu_ptx_ld_volatile(unsigned long at) { return *(const volatile T*)at; }
template <class T> EMU_INLINE void emu_ptx_st(unsigned long at, T value) { *(T*)at = value; }
template <class T> EMU_INLINE void emu_ptx_st_volatile(unsigned long at, T value) { *(volatile T*)at = value; }
template <class T, bool> EMU_CALL T emu_ptx_load(unsigned long at, int scope, bool acquires) {
    const T* from = (const T*)at;
    emu_atomic_load(from, sizeof(T), scope, EMU_SITE);
    T value = *from;
    if (acquires) emu_acquire(from, scope);
    return value;
}
template <class T> EMU_CALL void emu_ptx_store(unsigned long at, T value, int scope, bool releases) {
    T* to = (T*)at;
    emu_atomic_store(to, sizeof(T), scope, EMU_SITE);
    *to = value;
    if (releases) emu_release(to, scope);
}

// ---- a warp's matrices: `mma.sync` and `ldmatrix` -------------------------------------------------------
extern "C" {
EMU_DEVICE unsigned emu_shared_address(const void* pointer);
EMU_DEVICE void* emu_shared_pointer(unsigned address, const void* site);
// `x`: of as many words as matrices; `form`: how many, and 256 more if they are transposed.
EMU_DEVICE void emu_load_rows(void* x, unsigned address, unsigned form, const void* site);
// `forms`: of d, a, b and c, each in 32 bits, as hooks/matrices.h has them; `mode`: 1 saturates, 2 says that it is PTX.
EMU_DEVICE void emu_multiply_matrices(void* d, const void* a, const void* b, const void* c, unsigned long long forms_da,
                           unsigned long long forms_bc, int mode, const void* site);
}
// Some registers of 32 bits, as of a matrix.
template <unsigned N> struct EmuRegisters { unsigned emu_x[N]; };
template <class... R> EMU_INLINE EmuRegisters<sizeof...(R)> emu_registers(R... v) { return {{emu_as<unsigned, true>(v)...}}; }
EMU_INLINE EmuRegisters<2> emu_registers(uint2 v) { return {{v.x, v.y}}; }
EMU_INLINE EmuRegisters<4> emu_registers(uint4 v) { return {{v.x, v.y, v.z, v.w}}; }
template <unsigned N> EMU_INLINE EmuRegisters<N> emu_ptx_ld_wide(unsigned long at) {
    if constexpr (N == 2) return emu_registers(*(const uint2*)at);
    else return emu_registers(*(const uint4*)at);
}
template <unsigned N> EMU_INLINE EmuRegisters<N> emu_ptx_ld_wide_nc(unsigned long at) {
    emu_load_read_only((const void*)at, 4 * N);
    return emu_ptx_ld_wide<N>(at);
}
EMU_INLINE void emu_ptx_st_wide(unsigned long at, EmuRegisters<2> v) { *(uint2*)at = {v.emu_x[0], v.emu_x[1]}; }
EMU_INLINE void emu_ptx_st_wide(unsigned long at, EmuRegisters<4> v) { *(uint4*)at = {v.emu_x[0], v.emu_x[1], v.emu_x[2], v.emu_x[3]}; }
// Shared memory has addresses of its own, of 32 bits.
EMU_FN size_t __cvta_generic_to_shared(const void* pointer) { return emu_shared_address(pointer); }
template <class R> EMU_FN unsigned emu_shared_at(R v) {
    static_assert(sizeof(R) >= 4 && !__is_floating_point(R), "an address of shared memory in PTX must be an operand \"r\" or \"l\"");
    return unsigned(v);
}
// `cp.async`: what is not of the source becomes zeros.
template <unsigned SIZE, bool ALL> EMU_CALL void emu_cp_async(unsigned to, unsigned long from, unsigned source = SIZE) {
    static_assert(SIZE == 16 || (!ALL && (SIZE == 4 || SIZE == 8)), "cp.async copies 4, 8 or 16 bytes, and with .cg only 16");
    const void* site = EMU_SITE;
    if (source > SIZE) emu_trap("src-size <= cp-size", site);
    emu_check_global((const void*)from, site);
    emu_async_copy(emu_shared_pointer(to, site), (const void*)from, source, SIZE - source, EMU_WAIT_PRIOR, site);
}
template <unsigned PRIOR> EMU_CALL void emu_cp_wait() { emu_async_wait(PRIOR, EMU_SITE); }
template <unsigned N, unsigned TURNED> EMU_CALL EmuRegisters<N> emu_ldmatrix(unsigned address) {
    EmuRegisters<N> out;
    emu_load_rows(out.emu_x, address, N | TURNED << 8, EMU_SITE);
    return out;
}
// The elements as hooks/matrix_numbers.h numbers them: of the factors, and of the sums. `K`: the factors' common side.
template <unsigned FACTOR, unsigned SUM, unsigned K> struct EmuMma {
    static constexpr unsigned factor_bits = FACTOR == 2 ? 32 : 16, sum_bits = SUM == 5 ? 32 : 16;
    using A = EmuRegisters<16 * K * factor_bits / 1024>;
    using B = EmuRegisters<8 * K * factor_bits / 1024>;
    using C = EmuRegisters<16 * 8 * sum_bits / 1024>;
    static constexpr unsigned long long form(unsigned element, unsigned outer, unsigned inner) {
        return element | outer << 8 | inner << 16 | outer * inner / 32 << 24;
    }
    // (32: they are an accumulator's)
    static constexpr unsigned long long sums = form(SUM | 32, 16, 8), a = form(FACTOR, 16, K), b = form(FACTOR, 8, K);
};
template <unsigned FACTOR, unsigned SUM, unsigned K, class Of = EmuMma<FACTOR, SUM, K>>
EMU_CALL typename Of::C emu_mma(typename Of::A a, typename Of::B b, typename Of::C c) {
    typename Of::C d;
    emu_multiply_matrices(d.emu_x, a.emu_x, b.emu_x, c.emu_x, Of::a << 32 | Of::sums, Of::sums << 32 | Of::b, 2, EMU_SITE);
    return d;
}
