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

// ---- a warp's matrices: `mma.sync` and `ldmatrix` -------------------------------------------------------
extern "C" {
unsigned emu_shared_address(const void* pointer);
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
// Shared memory has addresses of its own, of 32 bits.
EMU_FN size_t __cvta_generic_to_shared(const void* pointer) { return emu_shared_address(pointer); }
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
    static constexpr unsigned long long sums = form(SUM, 16, 8), a = form(FACTOR, 16, K), b = form(FACTOR, 8, K);
};
template <unsigned FACTOR, unsigned SUM, unsigned K, class Of = EmuMma<FACTOR, SUM, K>>
EMU_CALL typename Of::C emu_mma(typename Of::A a, typename Of::B b, typename Of::C c) {
    typename Of::C d;
    emu_multiply_matrices(d.x, a.x, b.x, c.x, Of::a << 32 | Of::sums, Of::sums << 32 | Of::b, 2, EMU_SITE);
    return d;
}
