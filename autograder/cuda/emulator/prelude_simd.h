// CUDA's SIMD functions: an unsigned word as two halves or four bytes, each lane by itself; and the
// fused integer additions and comparisons.
#pragma once

template <class T> EMU_FN T emu_held(long long v, T least, T most) { return v < least ? least : v > most ? most : T(v); }
// The result of `expr` over the lanes a, b of type T, put together again.
#define EMU_LANES(name, T, expr)                                                                  \
    EMU_FN unsigned name(unsigned x, unsigned y) {                                                \
        unsigned out = 0;                                                                         \
        for (unsigned i = 0; i < 4 / sizeof(T); i++) {                                            \
            const long long a = T(x >> (8 * sizeof(T) * i)), b = T(y >> (8 * sizeof(T) * i));     \
            out |= (unsigned(expr) & (sizeof(T) == 1 ? 0xffu : 0xffffu)) << (8 * sizeof(T) * i);  \
        }                                                                                         \
        return out;                                                                               \
    }
#define EMU_LANES1(name, T, expr) EMU_LANES(emu_1##name, T, expr) EMU_FN unsigned name(unsigned x) { return emu_1##name(x, 0); }
#define EMU_SUM(name, T, expr)                                                                    \
    EMU_FN unsigned name(unsigned x, unsigned y) {                                                \
        unsigned sum = 0;                                                                         \
        for (unsigned i = 0; i < 4 / sizeof(T); i++) {                                            \
            const long long a = T(x >> (8 * sizeof(T) * i)), b = T(y >> (8 * sizeof(T) * i));     \
            sum += unsigned(expr);                                                                \
        }                                                                                         \
        return sum;                                                                               \
    }
#define EMU_COMPARE(n, S, U, suffix_s, name, op)                                                  \
    EMU_LANES(__vcmp##name##suffix_s##n, S, a op b ? ~0u : 0u)                                    \
    EMU_LANES(__vset##name##suffix_s##n, S, a op b ? 1u : 0u)
#define EMU_VIDEO(n, S, U, S_MIN, S_MAX, U_MAX)                                                   \
    EMU_LANES1(__vabs##n, S, a < 0 ? -a : a)                                                      \
    EMU_LANES1(__vabsss##n, S, emu_held<S>(a < 0 ? -a : a, S_MIN, S_MAX))                         \
    EMU_LANES1(__vneg##n, S, -a) EMU_LANES1(__vnegss##n, S, emu_held<S>(-a, S_MIN, S_MAX))        \
    EMU_LANES(__vadd##n, U, a + b) EMU_LANES(__vsub##n, U, a - b)                                 \
    EMU_LANES(__vaddss##n, S, emu_held<S>(a + b, S_MIN, S_MAX)) EMU_LANES(__vsubss##n, S, emu_held<S>(a - b, S_MIN, S_MAX)) \
    EMU_LANES(__vaddus##n, U, emu_held<U>(a + b, 0, U_MAX)) EMU_LANES(__vsubus##n, U, emu_held<U>(a - b, 0, U_MAX)) \
    EMU_LANES(__vabsdiffs##n, S, a < b ? b - a : a - b) EMU_LANES(__vabsdiffu##n, U, a < b ? b - a : a - b) \
    EMU_LANES(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1) EMU_LANES(__vavgu##n, U, (a + b + 1) >> 1) EMU_LANES(__vhaddu##n, U, (a + b) >> 1) \
    EMU_LANES(__vmaxs##n, S, a > b ? a : b) EMU_LANES(__vmaxu##n, U, a > b ? a : b)               \
    EMU_LANES(__vmins##n, S, a < b ? a : b) EMU_LANES(__vminu##n, U, a < b ? a : b)               \
    EMU_SUM(__vsads##n, S, a < b ? b - a : a - b) EMU_SUM(__vsadu##n, U, a < b ? b - a : a - b)   \
    EMU_COMPARE(n, U, U, , eq, ==) EMU_COMPARE(n, U, U, , ne, !=)                                 \
    EMU_COMPARE(n, S, U, s, ge, >=) EMU_COMPARE(n, S, U, s, gt, >) EMU_COMPARE(n, S, U, s, le, <=) EMU_COMPARE(n, S, U, s, lt, <) \
    EMU_COMPARE(n, U, U, u, ge, >=) EMU_COMPARE(n, U, U, u, gt, >) EMU_COMPARE(n, U, U, u, le, <=) EMU_COMPARE(n, U, U, u, lt, <)
EMU_VIDEO(2, int16_t, uint16_t, -32768, 32767, 65535)
EMU_VIDEO(4, int8_t, uint8_t, -128, 127, 255)
#undef EMU_VIDEO
#undef EMU_COMPARE
#undef EMU_SUM
#undef EMU_LANES1
#undef EMU_LANES

// Three arguments: max or min of all, or of the sum of two and the third; `relu` holds the result above 0.
#define EMU_THREE(name, T, expr)                                                                  \
    EMU_FN T name(T a, T b, T c) { return expr; }
#define EMU_THREE_LANES(name, T, expr)                                                            \
    EMU_FN unsigned name(unsigned x, unsigned y, unsigned z) {                                    \
        unsigned out = 0;                                                                         \
        for (unsigned i = 0; i < 2; i++) {                                                        \
            const T a = T(x >> (16 * i)), b = T(y >> (16 * i)), c = T(z >> (16 * i));             \
            out |= (unsigned(expr) & 0xffffu) << (16 * i);                                        \
        }                                                                                         \
        return out;                                                                               \
    }
#define EMU_FUSED(what, T, suffix, U)                                                             \
    what(__vimax3_##suffix, T, emu_max(T(emu_max(a, b)), c)) what(__vimin3_##suffix, T, emu_min(T(emu_min(a, b)), c)) \
    what(__viaddmax_##suffix, T, emu_max(T(U(a) + U(b)), c)) what(__viaddmin_##suffix, T, emu_min(T(U(a) + U(b)), c))
#define EMU_FUSED_RELU(what, T, suffix, U)                                                        \
    what(__vimax3_##suffix##_relu, T, emu_max(emu_max(T(emu_max(a, b)), c), T(0)))                \
    what(__vimin3_##suffix##_relu, T, emu_max(emu_min(T(emu_min(a, b)), c), T(0)))                \
    what(__viaddmax_##suffix##_relu, T, emu_max(emu_max(T(U(a) + U(b)), c), T(0)))                \
    what(__viaddmin_##suffix##_relu, T, emu_max(emu_min(T(U(a) + U(b)), c), T(0)))
template <class T> EMU_FN T emu_max(T a, T b) { return a > b ? a : b; }
template <class T> EMU_FN T emu_min(T a, T b) { return a < b ? a : b; }
EMU_FUSED(EMU_THREE, int, s32, unsigned) EMU_FUSED(EMU_THREE, unsigned, u32, unsigned)
EMU_FUSED(EMU_THREE_LANES, int16_t, s16x2, unsigned) EMU_FUSED(EMU_THREE_LANES, uint16_t, u16x2, unsigned)
EMU_FUSED_RELU(EMU_THREE, int, s32, unsigned) EMU_FUSED_RELU(EMU_THREE_LANES, int16_t, s16x2, unsigned)
#undef EMU_FUSED
#undef EMU_FUSED_RELU
#undef EMU_THREE
#undef EMU_THREE_LANES
EMU_FN int __vimax_s32_relu(int a, int b) { return emu_max(emu_max(a, b), 0); }
EMU_FN int __vimin_s32_relu(int a, int b) { return emu_max(emu_min(a, b), 0); }
EMU_FN unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
EMU_FN unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
// The larger or smaller, and whether it is the first (in each lane).
#define EMU_WHICH(name, T, op)                                                                    \
    EMU_INLINE T name(T a, T b, bool* first) { *first = a op b; return a op b ? a : b; }
EMU_WHICH(__vibmax_s32, int, >=) EMU_WHICH(__vibmax_u32, unsigned, >=)
EMU_WHICH(__vibmin_s32, int, <=) EMU_WHICH(__vibmin_u32, unsigned, <=)
#undef EMU_WHICH
#define EMU_WHICH(name, T, pick, op)                                                              \
    EMU_INLINE unsigned name(unsigned a, unsigned b, bool* high, bool* low) {                     \
        *high = T(a >> 16) op T(b >> 16);                                                         \
        *low = T(a) op T(b);                                                                      \
        return pick(a, b);                                                                        \
    }
EMU_WHICH(__vibmax_s16x2, int16_t, __vmaxs2, >=) EMU_WHICH(__vibmax_u16x2, uint16_t, __vmaxu2, >=)
EMU_WHICH(__vibmin_s16x2, int16_t, __vmins2, <=) EMU_WHICH(__vibmin_u16x2, uint16_t, __vminu2, <=)
#undef EMU_WHICH
