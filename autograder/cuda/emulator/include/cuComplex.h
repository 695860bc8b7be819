// Complex numbers, as CUDA's header of this name has them, for both halves of a program.
#pragma once
#ifndef EMU_FN  // in a file of plain C++
#define EMU_FN static inline
#endif
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define EMU_COMPLEX(T, V, NAME, REAL, IMAG, CONJ, ADD, SUB, MUL, DIV, ABS, FMA, HYPOT)                                     \
    EMU_FN V make_cu##NAME(T real, T imag) { return {real, imag}; }                                                       \
    EMU_FN T REAL(V x) { return x.x; }                                                                                    \
    EMU_FN T IMAG(V x) { return x.y; }                                                                                    \
    EMU_FN V CONJ(V x) { return {x.x, -x.y}; }                                                                            \
    EMU_FN V ADD(V x, V y) { return {x.x + y.x, x.y + y.y}; }                                                             \
    EMU_FN V SUB(V x, V y) { return {x.x - y.x, x.y - y.y}; }                                                             \
    EMU_FN V MUL(V x, V y) { return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x}; }                                     \
    EMU_FN V DIV(V x, V y) { /* scaled, so that squares do not overflow */                                               \
        T scale = T(1) / ((y.x < 0 ? -y.x : y.x) + (y.y < 0 ? -y.y : y.y));                                               \
        V a = {x.x * scale, x.y * scale}, b = {y.x * scale, y.y * scale};                                                 \
        T square = T(1) / (b.x * b.x + b.y * b.y);                                                                        \
        return {(a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square};                                      \
    }                                                                                                                     \
    EMU_FN T ABS(V x) { return HYPOT(x.x, x.y); }                                                                         \
    EMU_FN V FMA(V x, V y, V z) { return ADD(MUL(x, y), z); }
EMU_COMPLEX(float, cuFloatComplex, FloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, hypotf)
EMU_COMPLEX(double, cuDoubleComplex, DoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, hypot)
#undef EMU_COMPLEX
EMU_FN cuComplex make_cuComplex(float real, float imag) { return {real, imag}; }
EMU_FN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {double(x.x), double(x.y)}; }
EMU_FN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return {float(x.x), float(x.y)}; }
#pragma pop_macro("EMU_DEVICE")
