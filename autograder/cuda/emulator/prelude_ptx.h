// For inline PTX, which cuda/compiler/ptx.py turns into calls of these.
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
using emu_pred = bool;
// An operand "n", or a number among the instructions.
struct emu_immediate {
    unsigned long emu_bits;
    template <class T> EMU_RAW constexpr emu_immediate(T v) : emu_bits(v) {
        static_assert(__is_integral(T) || __is_enum(T), "an operand \"n\" must be an integer");
    }
    EMU_RAW constexpr operator unsigned long() const { return emu_bits; }
};
// A number with a point.
struct emu_decimal { double emu_number; };
// What a register holds that nobody has written.
template <class R> EMU_INLINE R emu_unset() { return R(0xaaaaaaaaaaaaaaaaul); }
// A register as an instruction takes it. `BITS`: of whatever type; `PART`: the instruction may take a part of it.
template <class T, bool BITS, bool PART, class R> EMU_FN constexpr bool emu_fits() {
    static_assert(__is_same(T, bool) == __is_same(R, bool), "a PTX instruction takes a .pred where it names one, and nowhere else");
    static_assert(sizeof(T) == sizeof(R) || (PART && sizeof(T) < sizeof(R) && !__is_floating_point(T) && !__is_floating_point(R)),
                  "a PTX instruction's type must be as wide as its registers");
    static_assert(BITS || __is_floating_point(T) || !__is_floating_point(R),
                  "a PTX instruction for integers must not get a register for floating-point numbers");
    return true;
}
template <class T, bool BITS, bool PART = false, class R> EMU_INLINE T emu_as(R v) {
    if constexpr (__is_same(R, emu_immediate)) {
        static_assert(!__is_floating_point(T), "a number among PTX instructions for floating-point numbers has a point, as in 1.0");
        static_assert(!__is_same(T, bool), "a PTX instruction takes a .pred where it names one, and nowhere else");
        return (T)v.emu_bits;
    } else if constexpr (__is_same(R, emu_decimal)) {
        static_assert(__is_floating_point(T), "a number among PTX instructions for integers has no point");
        return (T)v.emu_number;
    } else {
        static_assert(emu_fits<T, BITS, PART, R>());
        if constexpr (sizeof(T) == sizeof(R)) return __builtin_bit_cast(T, v);
        else return (T)v;
    }
}
template <class R, class T, bool BITS, bool PART> EMU_INLINE R emu_result(T v) {
    static_assert(emu_fits<T, BITS, PART, R>());
    if constexpr (sizeof(T) == sizeof(R)) return __builtin_bit_cast(R, v);
    else return (R)v;
}
// What some instructions give two registers.
template <class T> struct EmuTwo { T emu_first; bool emu_second; };
EMU_FN EmuTwo<bool> emu_either(bool holds) { return {holds, !holds}; }

// ---- special registers -----------------------------------------------------------------------------------
EMU_FN unsigned emu_ptx_laneid() {
    EmuIndex t = emu_index->thread;
    return (t.x + emu_shape.block.x * (t.y + emu_shape.block.y * t.z)) & 31u;
}
EMU_FN unsigned emu_ptx_warpid() {
    EmuIndex t = emu_index->thread;
    return (t.x + emu_shape.block.x * (t.y + emu_shape.block.y * t.z)) / 32u;
}
// As if all blocks ran on one multiprocessor, one after the other.
EMU_FN unsigned emu_ptx_smid() { return 0; }
EMU_FN unsigned emu_ptx_lanemask_eq() { return 1u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_lanemask_lt() { return (1u << emu_ptx_laneid()) - 1u; }
EMU_FN unsigned emu_ptx_lanemask_le() { return (2u << emu_ptx_laneid()) - 1u; }
EMU_FN unsigned emu_ptx_lanemask_ge() { return ~0u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_lanemask_gt() { return ~1u << emu_ptx_laneid(); }
EMU_FN unsigned emu_ptx_clock() { return unsigned(emu_clock()); }
EMU_FN unsigned long emu_ptx_clock64() { return (unsigned long)emu_clock(); }
EMU_FN unsigned emu_ptx_clock_hi() { return unsigned(emu_clock() >> 32); }
EMU_FN unsigned long emu_ptx_globaltimer() { return (unsigned long)emu_clock(); }
EMU_FN unsigned emu_ptx_globaltimer_lo() { return emu_ptx_clock(); }
EMU_FN unsigned emu_ptx_globaltimer_hi() { return emu_ptx_clock_hi(); }
#define EMU_SPECIAL(name, index)                               \
    EMU_FN unsigned emu_ptx_##name##_x() { return (index).x; } \
    EMU_FN unsigned emu_ptx_##name##_y() { return (index).y; } \
    EMU_FN unsigned emu_ptx_##name##_z() { return (index).z; }
EMU_SPECIAL(tid, emu_index->thread)
EMU_SPECIAL(ntid, emu_shape.block)
EMU_SPECIAL(ctaid, emu_index->block)
EMU_SPECIAL(nctaid, emu_shape.grid)

// ---- barriers and warps --------------------------------------------------------------------------------
EMU_CALL void emu_ptx_barrier() { emu_barrier(EMU_SITE); }
EMU_CALL unsigned emu_ptx_count(bool p) { int all; return unsigned(emu_barrier_reduce(p, &all, EMU_SITE)); }
EMU_CALL bool emu_ptx_every(bool p) { int all; emu_barrier_reduce(p, &all, EMU_SITE); return all; }
EMU_CALL bool emu_ptx_some(bool p) { int all; return emu_barrier_reduce(p, &all, EMU_SITE) != 0; }
extern "C" {
EMU_DEVICE void emu_named_sync(unsigned number, unsigned count, const void* site);
EMU_DEVICE void emu_named_arrive(unsigned number, unsigned count, const void* site);
}
EMU_CALL void emu_ptx_named_sync(unsigned number, unsigned count) { emu_named_sync(number, count, EMU_SITE); }
EMU_CALL void emu_ptx_named_arrive(unsigned number, unsigned count) { emu_named_arrive(number, count, EMU_SITE); }
EMU_CALL void emu_ptx_warp_barrier(unsigned mask) { emu_warp_barrier(mask, EMU_SITE); }
// PTX ISA, "shfl.sync": the lane that a value comes from, and whether that is one of the segment's. `c`: how far it
// reaches, and five bits further up, which bits of a lane's number tell the segment.
#define EMU_SHFL(how, function, from, in)                                                         \
    EMU_CALL EmuTwo<unsigned> emu_shfl_##how(unsigned mask, unsigned v, unsigned b, unsigned c) { \
        const EmuExchange* x = emu_warp_exchange(mask, v, EMU_SITE, function);                    \
        unsigned self = x->self, segment = c >> 8 & 31, low = self & segment, last = low | (c & 31 & ~segment); \
        int lane = int(from);                                                                     \
        if (!(in)) return {v, false};                                                             \
        return {emu_from_lane<unsigned>(x, unsigned(lane), EMU_SITE), true};                      \
    }
EMU_SHFL(idx, "__shfl_sync", low | (b & 31 & ~segment), lane <= int(last))
EMU_SHFL(up, "__shfl_up_sync", int(self) - int(b & 31), lane >= int(last))
EMU_SHFL(down, "__shfl_down_sync", self + (b & 31), lane <= int(last))
EMU_SHFL(bfly, "__shfl_xor_sync", self ^ (b & 31), lane <= int(last))
#undef EMU_SHFL
EMU_CALL EmuTwo<unsigned> emu_ptx_elect(unsigned mask) {
    const EmuExchange* x = emu_warp_exchange(mask, 0, EMU_SITE, "elect.sync");
    unsigned leader = unsigned(__builtin_ctz(x->lanes));
    return {leader, leader == x->self};
}
template <class T> EMU_INLINE EmuTwo<unsigned> emu_ptx_match_all(unsigned mask, T v) {
    unsigned lanes = emu_match_all(mask, v, emu_here());
    return {lanes, lanes != 0};
}
EMU_CALL void emu_ptx_trap() { emu_trap("__trap()", EMU_SITE); }

// ---- loads and stores ----------------------------------------------------------------------------------
extern "C" EMU_DEVICE void emu_check_global(const void* pointer, const void* site);
template <class R, class O> EMU_FN constexpr bool emu_is_place() {
    static_assert(__is_same(O, emu_immediate), "what is added to an address in PTX must be a number");
    static_assert(sizeof(R) == 8 && !__is_floating_point(R) && !__is_same(R, emu_immediate),
                  "an address of global memory in PTX must have 64 bits, as an operand \"l\" has");
    return true;
}
template <class R, class O> EMU_FN unsigned long emu_generic_place(R v, O offset) {
    static_assert(emu_is_place<R, O>());
    return v + offset;
}
template <class R, class O> EMU_FN unsigned long emu_global_place(R v, O offset) { return emu_generic_place(v, offset); }
EMU_FN unsigned long emu_at_generic(unsigned long at) { return at; }
EMU_CALL unsigned long emu_at_global(unsigned long at) {
    emu_check_global((const void*)at, EMU_SITE);
    return at;
}
// Shared memory has addresses of its own, of 32 bits.
extern "C" {
EMU_DEVICE unsigned emu_shared_address(const void* pointer);
EMU_DEVICE void* emu_shared_pointer(unsigned address, const void* site);
EMU_DEVICE unsigned emu_space_of(const void* pointer);
}
enum { EMU_IN_GLOBAL, EMU_IN_SHARED, EMU_IN_LOCAL, EMU_IN_CONST };
EMU_FN unsigned __isGlobal(const void* p) { return emu_space_of(p) == EMU_IN_GLOBAL; }
EMU_FN unsigned __isShared(const void* p) { return emu_space_of(p) == EMU_IN_SHARED; }
EMU_FN unsigned __isLocal(const void* p) { return emu_space_of(p) == EMU_IN_LOCAL; }
EMU_FN unsigned __isConstant(const void* p) { return emu_space_of(p) == EMU_IN_CONST; }
EMU_FN size_t __cvta_generic_to_shared(const void* pointer) { return emu_shared_address(pointer); }
EMU_CALL void* __cvta_shared_to_generic(size_t address) { return emu_shared_pointer(unsigned(address), EMU_SITE); }
// All other memory has one kind of address.
EMU_FN size_t __cvta_generic_to_global(const void* pointer) { return size_t(pointer); }
EMU_FN size_t __cvta_generic_to_local(const void* pointer) { return size_t(pointer); }
EMU_FN size_t __cvta_generic_to_constant(const void* pointer) { return size_t(pointer); }
EMU_FN void* __cvta_global_to_generic(size_t address) { return (void*)address; }
EMU_FN void* __cvta_local_to_generic(size_t address) { return (void*)address; }
EMU_FN void* __cvta_constant_to_generic(size_t address) { return (void*)address; }
EMU_FN unsigned long emu_to_shared(unsigned long at) { return emu_shared_address((const void*)at); }
template <class R, class O> EMU_FN unsigned emu_shared_place(R v, O offset) {
    static_assert(__is_same(O, emu_immediate), "what is added to an address in PTX must be a number");
    static_assert((sizeof(R) == 4 || sizeof(R) == 8) && !__is_floating_point(R),
                  "an address of shared memory in PTX must have 32 or 64 bits, as operands \"r\" and \"l\" have");
    return unsigned(v) + unsigned(offset);
}
EMU_CALL unsigned long emu_at_shared(unsigned at) { return (unsigned long)emu_shared_pointer(at, EMU_SITE); }
// Some registers, as of a vector or a matrix.
template <class T, unsigned N> struct EmuRegistersOf { T emu_x[N]; };
template <unsigned N> using EmuRegisters = EmuRegistersOf<unsigned, N>;
template <class T, class... R> EMU_INLINE EmuRegistersOf<T, 1 + sizeof...(R)> emu_registers(T first, R... rest) {
    return {{first, rest...}};
}
// What is loaded or stored at once.
template <class T, unsigned N> struct EmuVector { typedef T type __attribute__((ext_vector_type(N))); };
template <class T> struct EmuVector<T, 1> { typedef T type; };
#define EMU_MOVES(how, CV, begin)                                                                 \
    template <class T, unsigned N> EMU_INLINE EmuRegistersOf<T, N> emu_ptx_ld##how(unsigned long at) { \
        begin;                                                                                    \
        typename EmuVector<T, N>::type v = *(const CV typename EmuVector<T, N>::type*)at;         \
        return __builtin_bit_cast(EmuRegistersOf<T, N>, v);                                       \
    }                                                                                             \
    template <class T, unsigned N> EMU_INLINE void emu_ptx_st##how(unsigned long at, EmuRegistersOf<T, N> v) { \
        *(CV typename EmuVector<T, N>::type*)at = __builtin_bit_cast(typename EmuVector<T, N>::type, v); \
    }
EMU_MOVES(, , ) EMU_MOVES(_volatile, volatile, ) EMU_MOVES(_nc, , emu_load_read_only((const void*)at, sizeof(T) * N))
#undef EMU_MOVES
template <class T> EMU_FN void emu_order(T* at, int scope, bool acquires, bool releases) {
    if (releases) emu_release(at, scope);
    if (acquires) emu_acquire(at, scope);
}
// Each of several registers is atomic alone.
template <class T, unsigned N> EMU_CALL EmuRegistersOf<T, N> emu_ptx_load(unsigned long at, int scope, bool acquires, bool releases) {
    auto* from = (EmuRegistersOf<T, N>*)at;
    if (N > 1) emu_atomic_elements(sizeof(T));
    emu_atomic_load(from, sizeof *from, scope, EMU_SITE);
    EmuRegistersOf<T, N> value = *from;
    emu_order(from, scope, acquires, releases);
    return value;
}
template <class T, unsigned N>
EMU_CALL void emu_ptx_store(unsigned long at, int scope, bool acquires, bool releases, EmuRegistersOf<T, N> value) {
    auto* to = (EmuRegistersOf<T, N>*)at;
    if (N > 1) emu_atomic_elements(sizeof(T));
    emu_atomic_store(to, sizeof *to, scope, EMU_SITE);
    *to = value;
    emu_order(to, scope, acquires, releases);
}
#define EMU_ATOM(name, expr, hook)                                                                \
    template <class T>                                                                            \
    EMU_CALL T emu_atom_##name(unsigned long at, int scope, bool acquires, bool releases, T v) {  \
        T* to = (T*)at;                                                                           \
        hook(to, sizeof(T), scope, EMU_SITE);                                                     \
        T old = *to;                                                                              \
        *to = T(expr);                                                                            \
        emu_order(to, scope, acquires, releases);                                                 \
        return old;                                                                               \
    }
EMU_ATOM(add, old + v, emu_atomic) EMU_ATOM(min, old < v ? old : v, emu_atomic) EMU_ATOM(max, old > v ? old : v, emu_atomic)
EMU_ATOM(and, old & v, emu_atomic) EMU_ATOM(or, old | v, emu_atomic) EMU_ATOM(xor, old ^ v, emu_atomic)
EMU_ATOM(inc, old >= v ? 0 : old + 1, emu_atomic) EMU_ATOM(dec, old == 0 || old > v ? v : old - 1, emu_atomic)
EMU_ATOM(exch, v, emu_atomic_exchange)
#undef EMU_ATOM
template <class T>
EMU_CALL T emu_atom_cas(unsigned long at, int scope, bool acquires, bool releases, T compare, T v) {
    T* to = (T*)at;
    emu_compare_and_swap();
    emu_atomic(to, sizeof(T), scope, EMU_SITE);
    T old = *to;
    if (old == compare) *to = v;
    emu_order(to, scope, acquires, releases && old == compare);
    return old;
}

// ---- a warp's matrices: `mma.sync` and `ldmatrix` -------------------------------------------------------
extern "C" {
// `x`: of as many words as matrices; `form`: how many, and 256 more if they are transposed.
EMU_DEVICE void emu_load_rows(void* x, unsigned address, unsigned form, const void* site);
EMU_DEVICE void emu_store_rows(const void* x, unsigned address, unsigned form, const void* site);
// `forms`: of d, a, b and c, each in 32 bits, as hooks/matrices.h has them; `mode`: 1 saturates, 2 says that it is PTX.
EMU_DEVICE void emu_multiply_matrices(void* d, const void* a, const void* b, const void* c, unsigned long long forms_da,
                           unsigned long long forms_bc, int mode, const void* site);
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
template <unsigned N, unsigned TURNED> EMU_CALL void emu_stmatrix(unsigned address, EmuRegisters<N> x) {
    emu_store_rows(x.emu_x, address, N | TURNED << 8, EMU_SITE);
}
// Of a matrix of 8 rows, a lane holds two neighbors in a row; of its transpose, two in a column.
EMU_CALL unsigned emu_movmatrix(unsigned v) {
    const EmuExchange* x = emu_warp_exchange(~0u, v, EMU_SITE, "movmatrix");
    unsigned row = x->self % 4 * 2, place = x->self / 4, out = 0;
    for (unsigned i = 0; i < 2; i++)
        out |= unsigned(x->value[4 * (row + i) + place / 2] >> 16 * (place % 2) & 0xffff) << 16 * i;
    return out;
}
// The elements as hooks/matrix_numbers.h numbers them: of the factors, and of the sums. `K`: the factors' common side.
template <unsigned A_OF, unsigned B_OF, unsigned SUM, unsigned K> struct EmuMma {
    static constexpr unsigned factor_bits = A_OF == 2 ? 32 : A_OF > 2 ? 8 : 16, sum_bits = SUM ? 32 : 16;
    using A = EmuRegisters<16 * K * factor_bits / 1024>;
    using B = EmuRegisters<8 * K * factor_bits / 1024>;
    using C = EmuRegisters<16 * 8 * sum_bits / 1024>;
    static constexpr unsigned long long form(unsigned element, unsigned outer, unsigned inner) {
        return element | outer << 8 | inner << 16 | outer * inner / 32 << 24;
    }
    // (32: they are an accumulator's)
    static constexpr unsigned long long sums = form(SUM | 32, 16, 8), a = form(A_OF, 16, K), b = form(B_OF, 8, K);
};
template <unsigned A_OF, unsigned B_OF, unsigned SUM, unsigned K, int MODE, class Of = EmuMma<A_OF, B_OF, SUM, K>>
EMU_CALL typename Of::C emu_mma(typename Of::A a, typename Of::B b, typename Of::C c) {
    typename Of::C d;
    emu_multiply_matrices(d.emu_x, a.emu_x, b.emu_x, c.emu_x, Of::a << 32 | Of::sums, Of::sums << 32 | Of::b, MODE, EMU_SITE);
    return d;
}
