// For inline PTX, which compiler/ptx.py turns into calls of these.
#pragma once

EMU_FN unsigned emu_lane() {
    EmuIndex t = emu_index->thread;
    return (t.x + emu_shape.block.x * (t.y + emu_shape.block.y * t.z)) & 31u;
}
EMU_FN unsigned emu_lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
    unsigned out = 0;
    for (unsigned i = 0; i < 8; i++)
        if ((table >> i) & 1) out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}

// ---- loads and stores ----------------------------------------------------------------------------------
template <class T> EMU_CALL T emu_ptx_load(const void* from, int scope, bool acquires) {
    emu_atomic_load(from, sizeof(T), scope, EMU_SITE);
    T value = *(const T*)from;
    if (acquires) emu_acquire(from, scope);
    return value;
}
template <class T> EMU_CALL void emu_ptx_store(void* to, T value, int scope, bool releases) {
    emu_atomic_store(to, sizeof(T), scope, EMU_SITE);
    *(T*)to = value;
    if (releases) emu_release(to, scope);
}

// ---- a warp's matrices: `mma.sync` and `ldmatrix` -------------------------------------------------------
extern "C" {
unsigned emu_shared_address(const void* pointer);
void* emu_shared_pointer(unsigned address, const void* site);
// `x`: of as many words as matrices; `form`: how many, and 256 more if they are transposed.
void emu_load_rows(void* x, unsigned address, unsigned form, const void* site);
// `forms`: of d, a, b and c, each in 32 bits, as hooks/matrices.h has them; `mode`: 1 saturates, 2 says that it is PTX.
void emu_multiply_matrices(void* d, const void* a, const void* b, const void* c, unsigned long long forms_da,
                           unsigned long long forms_bc, int mode, const void* site);
}
// A lane's registers of a matrix.
template <unsigned N> struct EmuRegisters { unsigned x[N]; };
EMU_FN unsigned emu_register(unsigned v) { return v; }
EMU_FN unsigned emu_register(int v) { return unsigned(v); }
EMU_FN unsigned emu_register(float v) { return __builtin_bit_cast(unsigned, v); }
template <class... T> EMU_FN EmuRegisters<sizeof...(T)> emu_registers(T... v) { return {{emu_register(v)...}}; }
template <unsigned N, class... T> EMU_INLINE void emu_set(EmuRegisters<N> from, T&... to) {
    static_assert(N == sizeof...(T), "another number of registers");
    unsigned i = 0;
    ((to = __builtin_bit_cast(T, from.x[i++])), ...);
}
EMU_INLINE EmuRegisters<2> emu_registers(uint2 v) { return {{v.x, v.y}}; }
EMU_INLINE EmuRegisters<4> emu_registers(uint4 v) { return {{v.x, v.y, v.z, v.w}}; }
EMU_INLINE void emu_wide(EmuRegisters<2> from, uint2& to) { to = {from.x[0], from.x[1]}; }
EMU_INLINE void emu_wide(EmuRegisters<4> from, uint4& to) { to = {from.x[0], from.x[1], from.x[2], from.x[3]}; }
// Shared memory has addresses of its own, of 32 bits.
EMU_FN size_t __cvta_generic_to_shared(const void* pointer) { return emu_shared_address(pointer); }
// `cp.async`: what is not of the source becomes zeros.
template <unsigned SIZE, bool ALL> EMU_CALL void emu_cp_async(unsigned to, const void* from, unsigned source = SIZE) {
    static_assert(SIZE == 16 || (!ALL && (SIZE == 4 || SIZE == 8)), "cp.async copies 4, 8 or 16 bytes, and with .cg only 16");
    const void* site = EMU_SITE;
    if (source > SIZE) emu_trap("src-size <= cp-size", site);
    emu_async_copy(emu_shared_pointer(to, site), from, source, SIZE - source, EMU_WAIT_PRIOR, site);
}
EMU_CALL void emu_cp_wait(unsigned prior) { emu_async_wait(prior, EMU_SITE); }
template <unsigned N, unsigned TURNED> EMU_CALL EmuRegisters<N> emu_ldmatrix(unsigned address) {
    EmuRegisters<N> out;
    emu_load_rows(out.x, address, N | TURNED << 8, EMU_SITE);
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
    emu_multiply_matrices(d.x, a.x, b.x, c.x, Of::a << 32 | Of::sums, Of::sums << 32 | Of::b, 2, EMU_SITE);
    return d;
}
