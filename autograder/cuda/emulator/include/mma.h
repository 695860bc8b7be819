// Matrices that a warp multiplies as one: see the CUDA C++ Programming Guide, "Warp Matrix Functions". Which
// lane holds which elements, and what it does with them, is in hooks/matrices.h.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
// `form`: see EMU_FORM. The pointers `x` and `a` to `d` are those of a fragment's elements.
EMU_DEVICE void emu_load_matrix(void* x, const void* from, unsigned stride, unsigned form, const void* site);
EMU_DEVICE void emu_store_matrix(void* to, const void* x, unsigned stride, unsigned form, const void* site);
}

namespace nvcuda::wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

// To ten fractional bits, the nearest, and of two the one farther from zero.
EMU_FN float __float_to_tf32(float v) {
    unsigned bits = __builtin_bit_cast(unsigned, v);
    if (v != v) return __builtin_bit_cast(float, 0x7fffffffu);
    if ((bits & 0x7f800000) == 0x7f800000) return v;
    return __builtin_bit_cast(float, (bits + 0x1000) & ~0x1fffu);
}

namespace emu_matrices {
// The number of the type in hooks/matrix_numbers.h, the type in memory, and its bytes.
template <class T> struct Element { static constexpr int number = -1; using type = T; };
#define EMU_ELEMENT(T, n, stored) template <> struct Element<T> { static constexpr int number = n; using type = stored; };
EMU_ELEMENT(__half, 0, __half) EMU_ELEMENT(__nv_bfloat16, 1, __nv_bfloat16) EMU_ELEMENT(precision::tf32, 2, float)
EMU_ELEMENT(signed char, 3, signed char) EMU_ELEMENT(unsigned char, 4, unsigned char)
EMU_ELEMENT(float, 5, float) EMU_ELEMENT(int, 6, int) EMU_ELEMENT(double, 7, double)
#undef EMU_ELEMENT
constexpr bool is_shape(int m, int n, int k, int number) {
    return number == 2 ? m == 16 && n == 16 && k == 8
         : number == 7 ? m == 8 && n == 8 && k == 4
                       : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}
constexpr unsigned STRIDED = 16, SUMS = 32;
template <class Use, int M, int N, int K, class T, class Layout> struct Form {
    static constexpr bool sums = __is_same(Use, accumulator), first = __is_same(Use, matrix_a), second = __is_same(Use, matrix_b);
    static constexpr int number = Element<T>::number;
    static constexpr bool is_sum = sums && __is_same(Layout, void) &&
        ((number == 0 || number >= 5) && (is_shape(M, N, K, number) || (number == 5 && is_shape(M, N, K, 2))));
    static constexpr bool is_factor = (first || second) && (__is_same(Layout, row_major) || __is_same(Layout, col_major)) &&
        number >= 0 && number != 5 && number != 6 && is_shape(M, N, K, number);
    static constexpr bool is_known = is_sum || is_factor;
    // The elements along `inner` go into one word of a lane. A row of b is a column of its transpose.
    static constexpr unsigned outer = second ? N : M, inner = sums ? N : K;
    // Of half precision, a factor's elements are there twice, as on GPUs before Ampere.
    static constexpr unsigned count = number == 0 && !sums ? 16 : outer * inner / 32;
    static constexpr unsigned form = unsigned(number) | (sums ? SUMS : 0) | outer << 8 | inner << 16 | count << 24;
    // Whether elements along `inner` are neighbors in memory.
    static constexpr bool dense = second ? __is_same(Layout, col_major) : __is_same(Layout, row_major);
};
// Whether products of T are added to a Sum.
template <class T, class Sum>
constexpr bool adds_to = __is_same(T, signed char) || __is_same(T, unsigned char) ? __is_same(Sum, int)
                         : __is_same(T, double)                                   ? __is_same(Sum, double)
                                                : __is_same(Sum, float) || (__is_same(T, __half) && __is_same(Sum, __half));
constexpr unsigned long long both(unsigned a, unsigned b) { return (unsigned long long)b << 32 | a; }
}  // namespace emu_matrices

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
    using emu_form = emu_matrices::Form<Use, M, N, K, T, Layout>;
    static_assert(emu_form::is_known, "a fragment of this shape, type and layout is not supported by the emulator");
public:
    using element_type = T;
    using storage_element_type = typename emu_matrices::Element<T>::type;
    enum { num_elements = emu_form::is_known ? emu_form::count : 1, num_storage_elements = num_elements };
    storage_element_type x[num_elements];
};

#define EMU_FRAGMENT fragment<Use, M, N, K, T, Layout>
#define EMU_OF_FRAGMENT template <class Use, int M, int N, int K, class T, class Layout>
EMU_OF_FRAGMENT EMU_INLINE void fill_fragment(EMU_FRAGMENT& f, const typename EMU_FRAGMENT::storage_element_type& v) {
    for (unsigned i = 0; i < EMU_FRAGMENT::num_elements; i++) f.x[i] = v;
}
EMU_OF_FRAGMENT EMU_CALL void load_matrix_sync(EMU_FRAGMENT& f, const typename EMU_FRAGMENT::storage_element_type* from, unsigned stride) {
    using Form = emu_matrices::Form<Use, M, N, K, T, Layout>;
    static_assert(Form::is_factor, "load_matrix_sync of an accumulator needs a layout, mem_row_major or mem_col_major");
    emu_load_matrix(f.x, from, stride, Form::form | (Form::dense ? 0 : emu_matrices::STRIDED), EMU_SITE);
}
template <int M, int N, int K, class T>
EMU_CALL void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const typename fragment<accumulator, M, N, K, T>::storage_element_type* from, unsigned stride, layout_t layout) {
    using Form = emu_matrices::Form<accumulator, M, N, K, T, void>;
    emu_load_matrix(f.x, from, stride, Form::form | (layout == mem_row_major ? 0 : emu_matrices::STRIDED), EMU_SITE);
}
template <int M, int N, int K, class T>
EMU_CALL void store_matrix_sync(typename fragment<accumulator, M, N, K, T>::storage_element_type* to, const fragment<accumulator, M, N, K, T>& f, unsigned stride, layout_t layout) {
    using Form = emu_matrices::Form<accumulator, M, N, K, T, void>;
    emu_store_matrix(to, f.x, stride, Form::form | (layout == mem_row_major ? 0 : emu_matrices::STRIDED), EMU_SITE);
}
#undef EMU_OF_FRAGMENT
#undef EMU_FRAGMENT

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
EMU_CALL void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                       const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c, bool satf = false) {
    static_assert(emu_matrices::adds_to<T, D> && emu_matrices::adds_to<T, C>, "mma_sync adds products of these types to other accumulators: int to integers, double to double, float or half to half, else float");
    using namespace emu_matrices;
    emu_multiply_matrices(d.x, a.x, b.x, c.x,
                          both(Form<accumulator, M, N, K, D, void>::form, Form<matrix_a, M, N, K, T, LayoutA>::form),
                          both(Form<matrix_b, M, N, K, T, LayoutB>::form, Form<accumulator, M, N, K, C, void>::form),
                          __is_same(D, int) && satf, EMU_SITE);
}
}  // namespace nvcuda::wmma
