// For the instructions of warpgroups in inline PTX, which cuda/compiler/ptx_wgmma.py turns into calls of these.
#pragma once

extern "C" {
// See hooks/warpgroups.h.
EMU_DEVICE void emu_warpgroup_multiply(unsigned long a, unsigned long more, unsigned long b, unsigned long form, const void* site);
EMU_DEVICE void emu_warpgroup_fence(const void* site);
EMU_DEVICE void emu_warpgroup_commit(const void* site);
EMU_DEVICE void emu_warpgroup_wait(unsigned prior, const void* site);
}
// The elements as hooks/matrix_numbers.h numbers them. The signs: -1 changes that of a factor. The turns: 1 says that the
// neighbors of a factor in memory are not those along the common side.
template <unsigned N, unsigned A, unsigned B, unsigned SUM, bool LIMITS, long SIGN_A, long SIGN_B, long TURN_A, long TURN_B>
struct EmuWgmma {
    static_assert((SIGN_A == 1 || SIGN_A == -1) && (SIGN_B == 1 || SIGN_B == -1), "imm-scale-a and imm-scale-b of wgmma.mma_async must be 1 or -1");
    static_assert((TURN_A == 0 || TURN_A == 1) && (TURN_B == 0 || TURN_B == 1), "imm-trans-a and imm-trans-b of wgmma.mma_async must be 0 or 1");
    static constexpr unsigned long form = A | B << 4 | SUM << 8 | (SIGN_A < 0) << 14 | (SIGN_B < 0) << 15 |
                                          unsigned(TURN_A) << 16 | unsigned(TURN_B) << 17 | LIMITS << 18 | (unsigned long)N << 32;
};
// Whether a product adds to its sums: PTX wants a predicate there, and ptxas takes a number, too.
template <class R> EMU_INLINE bool emu_adds(R v) {
    if constexpr (__is_same(R, emu_immediate)) return v.emu_bits != 0;
    else return emu_as<emu_pred, false>(v);
}
template <unsigned N, unsigned A, unsigned B, unsigned SUM, bool LIMITS, long... REST>
EMU_CALL void emu_wgmma(unsigned long a, unsigned long b, bool add) {
    emu_warpgroup_multiply(a, 0, b, EmuWgmma<N, A, B, SUM, LIMITS, REST...>::form | add << 13, EMU_SITE);
}
template <unsigned N, unsigned A, unsigned B, unsigned SUM, bool LIMITS, long... REST>
EMU_CALL void emu_wgmma(EmuRegisters<4> a, unsigned long b, bool add) {
    const unsigned* x = a.emu_x;
    emu_warpgroup_multiply(x[0] | (unsigned long)x[1] << 32, x[2] | (unsigned long)x[3] << 32, b,
                           EmuWgmma<N, A, B, SUM, LIMITS, REST...>::form | 1ul << 12 | add << 13, EMU_SITE);
}
EMU_CALL void emu_wgmma_fence() { emu_warpgroup_fence(EMU_SITE); }
EMU_CALL void emu_wgmma_commit() { emu_warpgroup_commit(EMU_SITE); }
template <unsigned PRIOR> EMU_CALL void emu_wgmma_wait() { emu_warpgroup_wait(PRIOR, EMU_SITE); }
// How many registers a thread has, changes nothing here.
template <unsigned COUNT> EMU_FN void emu_setmaxnreg() {
    static_assert(COUNT >= 24 && COUNT <= 256 && COUNT % 8 == 0, "setmaxnreg takes a multiple of 8 from 24 to 256");
}
