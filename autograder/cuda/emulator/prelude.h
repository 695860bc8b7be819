// What clang's CUDA mode leaves to headers: what a kernel's text may use, in terms of the emulator's runtime.
// Every function here is left uninstrumented (EMU_RAW), so that only the text's own accesses count.
#pragma once

// (no __device__, a macro below)
#define EMU_DEVICE __attribute__((device))
// Of the C library: clang knows what its functions do only where they are the host's, too. A whole program
// (EMU_HOSTED) has the host's own. EMU_BOTH: what a program's host computes with, too.
#ifdef EMU_HOSTED
#define EMU_BOTH __attribute__((host, device))
#define EMU_LIBRARY extern "C" EMU_DEVICE
#define EMU_OF_LIBRARY EMU_FN
#else
#define EMU_BOTH __attribute__((device))
#define EMU_LIBRARY extern "C" __attribute__((host, device))
#define EMU_OF_LIBRARY EMU_ANYWHERE
#endif
#define EMU_RAW EMU_DEVICE __attribute__((disable_sanitizer_instrumentation, no_sanitize("thread", "array-bounds")))
#define EMU_FN static inline __attribute__((unused)) EMU_RAW
// A function that reports the place it was called from must have a frame of its own.
#define EMU_CALL static __attribute__((unused, noinline, convergent, noduplicate)) EMU_RAW
#define EMU_METHOD __attribute__((noinline, convergent, noduplicate)) EMU_RAW
// A function that reads or writes the text's own memory: instrumented, and as if written at the line that calls it
// (passes/caller_lines.py). An index beyond an array is found there, too, by its address.
#define EMU_INLINE EMU_DEVICE inline __attribute__((always_inline, no_sanitize("array-bounds")))
#define EMU_SITE __builtin_return_address(0)
#include "prelude_vectors.h"

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype((char*)0 - (char*)0);
#include "prelude_names.h"
using uchar = unsigned char;
#ifndef EMU_HOSTED
#define NULL nullptr
#endif
// What texts ask of the compiler: as nvcc 12.9 says it of an A100.
#undef __CUDACC__
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define CUDART_VERSION 12090
#ifdef __CUDA_ARCH__
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif
// Hints for the optimizer. Here they do nothing: a wrong one would remove checks.
#define __builtin_assume(condition) ((void)0)
#define __builtin_assume_aligned(pointer, ...) ((void*)(pointer))

// ---- the runtime, see launch/thread.h and hooks/calls.h -------------------------------------------------------------
#pragma clang force_cuda_host_device begin
extern "C" {
struct EmuIndex { unsigned x, y, z; };
struct EmuThreadIndex { EmuIndex thread, block; };
struct EmuLaunchShape { EmuIndex grid, block, cluster; };  // cluster: in blocks
EMU_DEVICE extern const EmuThreadIndex* emu_index;       // of the thread that runs now
EMU_DEVICE extern const EmuLaunchShape emu_shape;
struct EmuExchange { unsigned long long value[32]; unsigned lanes; unsigned self; };

void emu_barrier(const void* site);
int emu_barrier_reduce(int predicate, int* all_true, const void* site);
void emu_warp_barrier(unsigned mask, const void* site);
// Lanes exchange values only with those that call the same function with the same mask.
const EmuExchange* emu_warp_exchange(unsigned mask, unsigned long long value, const void* site, const char* function = __builtin_FUNCTION());
unsigned long long emu_value_of_nobody(unsigned lane, const void* site);  // of a lane that took no part in the exchange
unsigned emu_active_mask(const void* site);  // the lanes of the warp that come to `site` together
void emu_atomic(const void* address, unsigned size, int scope, const void* site);
void emu_compare_and_swap();  // says of the next atomic that it is one
void emu_atomic_elements(unsigned bytes);  // says of the next atomic that it is atomic for each element of this size alone
// Atomics that only read, or only write; the one above does both.
void emu_atomic_load(const void* address, unsigned size, int scope, const void* site);
void emu_atomic_store(const void* address, unsigned size, int scope, const void* site);
void emu_atomic_exchange(const void* address, unsigned size, int scope, const void* site);  // both, but see Part in launch/thread.h
void emu_load_read_only(const void* address, unsigned size);  // the load itself follows
void emu_release(const void* address, int scope);  // one side of an atomic's ordering, without an access
void emu_acquire(const void* address, int scope);
void emu_pass_barrier(const void* address, int scope);  // the same, of a wait at a barrier that lies in memory
void emu_fence(int scope, const void* site);  // null: as a part of another operation
void emu_sleep(const void* site);  // another thread's time slice
void emu_grid_barrier(const void* site);  // all threads of the grid
void emu_cluster_barrier(const void* site);  // all threads of the cluster; in two halves:
void emu_cluster_arrive(const void* site);
void emu_cluster_wait(const void* site);
// Where a place in the block's own shared memory is in that of the block with this rank; and whose place an address is.
void* emu_cluster_map(const void* address, unsigned rank, const void* site);
unsigned emu_cluster_rank_of(const void* address, const void* site);
// Starts a copy of `size` bytes, then of `zeros` zero bytes; lands at the wait, which `wait` tells for the report.
void emu_async_copy(void* to, const void* from, unsigned size, unsigned zeros, int wait, const void* site);
void emu_async_commit();                               // closes the thread's open group of copies
void emu_async_wait(unsigned prior, const void* site);  // until at most `prior` newest groups are unfinished
// For the grid before this one in its stream, and to let the one after it begin.
void emu_grid_wait();
void emu_grid_trigger();
// The thread cannot go on before another one changes the word at `address`.
void emu_spin(const void* address, const void* site);
int emu_print(const char* format, const unsigned long long* arguments, unsigned count, const void* site);
#ifndef EMU_HOSTED
int printf(const char* format, ...) __asm__("emu_printf");
#else
void* emu_allocate(size_t bytes, const void* site);
void emu_free(const void* memory, const void* site);
void emu_exit();
#endif
[[noreturn]] void emu_trap(const char* reason, const void* site);
[[noreturn]] void emu_misuse(const char* what, const void* site);  // its words are in cuda/report/endings.py
long long emu_clock();
}
#pragma clang force_cuda_host_device end
enum { EMU_SCOPE_BLOCK = 0, EMU_SCOPE_DEVICE = 1 };
#include "prelude_protocol.h"

// ---- the language ---------------------------------------------------------------------------
// Clang gives a constexpr function to both sides, as nvcc does not: device_code.py refuses one that a kernel calls and
// that has no annotation.
#define __global__ __attribute__((__global__, __annotate__("emu __global__")))
#define __device__ __attribute__((__device__, __annotate__("emu __device__")))
#define __host__ __attribute__((__host__))
// (used: of one that is constexpr, the compiler makes a copy, see cuda/compiler/device_ir.py)
#define __constant__ __attribute__((__constant__, __used__, __annotate__("emu __constant__")))
#define __shared__ __attribute__((__shared__))
#ifdef EMU_HOSTED
#define __managed__ __device__ __attribute__((__annotate__("emu __managed__")))  // see cuda/programs/memory/managed.py
#else
#define __managed__ __device__
#endif
#define __forceinline__ inline
#define __noinline__ __attribute__((__noinline__))
#define __align__(n) __attribute__((__aligned__(n)))
#define __launch_bounds__(...) __attribute__((__launch_bounds__(__VA_ARGS__)))
// Clang leaves the numbers out of the IR: cuda/compiler/passes/marks.py reads them here.
#define __cluster_dims__(...) __attribute__((__cluster_dims__(__VA_ARGS__), __annotate__("emu __cluster_dims__", __VA_ARGS__)))
// (It changes what a GPU's compiler makes of the kernel, not what the kernel does.)
#define __maxnreg__(...)
#define __grid_constant__ __attribute__((__grid_constant__))

#if defined(EMU_HOSTED) && !defined(__CUDA_ARCH__)
// Of the host's half, in which no kernel is compiled; NVIDIA's headers declare them again.
EMU_DEVICE extern const uint3 threadIdx, blockIdx;
EMU_DEVICE extern const dim3 blockDim, gridDim;
#else
// (named as NVIDIA's own are, since the compiler's messages name them)
#define EMU_BUILTIN(name, expr)                                                                   \
    struct __cuda_builtin_##name##_t {                                                            \
        __declspec(property(get = emu_x)) unsigned x;                                             \
        __declspec(property(get = emu_y)) unsigned y;                                             \
        __declspec(property(get = emu_z)) unsigned z;                                             \
        EMU_RAW unsigned emu_x() const { return (expr).x; }                                       \
        EMU_RAW unsigned emu_y() const { return (expr).y; }                                       \
        EMU_RAW unsigned emu_z() const { return (expr).z; }                                       \
        EMU_RAW operator uint3() const { return {emu_x(), emu_y(), emu_z()}; }                    \
        EMU_RAW operator dim3() const { return dim3(emu_x(), emu_y(), emu_z()); }                 \
    };                                                                                            \
    EMU_DEVICE static const __cuda_builtin_##name##_t name __attribute__((unused)) = {};
EMU_BUILTIN(threadIdx, emu_index->thread)
EMU_BUILTIN(blockIdx, emu_index->block)
EMU_BUILTIN(blockDim, emu_shape.block)
EMU_BUILTIN(gridDim, emu_shape.grid)
#undef EMU_BUILTIN
#endif
EMU_DEVICE extern const int warpSize;  // entry.py defines it: to the text it is no constant

// ---- barriers, fences, warps ------------------------------------------------------------------
// Clang has a __syncthreads of its own; what it makes of it becomes a call of this (cuda/compiler/builtins.py).
EMU_CALL __attribute__((used)) void emu_syncthreads() { emu_barrier(EMU_SITE); }
EMU_CALL int __syncthreads_count(int p) { int all; return emu_barrier_reduce(p, &all, EMU_SITE); }
// CUDA promises "not 0" where all or some say yes, and every GPU gives 1: so does a program, but an answer that relies on
// that, on a sign or on the lowest bit must see it.
#ifdef EMU_HOSTED
EMU_FN int emu_yes() { return 1; }
#else
EMU_FN int emu_yes() { return blockIdx.x % 2 ? 2 : -1; }
#endif
EMU_CALL int __syncthreads_and(int p) { int all; emu_barrier_reduce(p, &all, EMU_SITE); return all ? emu_yes() : 0; }
EMU_CALL int __syncthreads_or(int p) { int all; return emu_barrier_reduce(p, &all, EMU_SITE) ? emu_yes() : 0; }
EMU_CALL void __syncwarp(unsigned mask = 0xffffffffu) { emu_warp_barrier(mask, EMU_SITE); }
EMU_CALL void __threadfence() { emu_fence(EMU_SCOPE_DEVICE, EMU_SITE); }
EMU_FN void __threadfence_system() { emu_fence(EMU_SCOPE_DEVICE, nullptr); }
EMU_CALL void __threadfence_block() { emu_fence(EMU_SCOPE_BLOCK, EMU_SITE); }
EMU_CALL unsigned __activemask() { return emu_active_mask(EMU_SITE); }
// What CUDA's warp functions exchange: numbers, all of at most 8 bytes, and the small types that headers add.
template <class T> inline constexpr bool emu_is_number = __is_arithmetic(T) || __is_enum(T);
template <class T> inline constexpr bool emu_is_exchanged = emu_is_number<T>;
namespace emu {
template <bool, class T = int> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
}  // namespace emu
// A template's last parameter, for types that fulfill a condition. (Programs may be compiled as C++17.)
#define EMU_IF(...) typename emu::enable_if<(__VA_ARGS__)>::type = 0
template <class T> EMU_FN unsigned long long emu_bits(T v) {
    static_assert(sizeof(T) <= 8, "a value of more than 8 bytes is not supported by the emulator here");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof(T));
    return bits;
}
template <class T> EMU_FN T emu_value(unsigned long long bits) {
    T v;
    __builtin_memcpy(&v, &bits, sizeof(T));
    return v;
}
EMU_FN void emu_check_width(int width, const void* site) {
    if (width < 1 || width > 32 || (width & (width - 1))) emu_misuse("shuffle width", site);
}
// Of a distance between lanes, the hardware takes five bits (PTX ISA, "shfl.sync").
EMU_FN unsigned emu_distance(unsigned lanes) { return lanes & 31; }
template <class T> EMU_FN T emu_from_lane(const EmuExchange* x, unsigned lane, const void* site) {
    lane &= 31;
    return emu_value<T>((x->lanes >> lane) & 1 ? x->value[lane] : emu_value_of_nobody(lane, site));
}
template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_CALL T __shfl_sync(unsigned mask, T v, int source, int width = 32) {
    emu_check_width(width, EMU_SITE);
    const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), EMU_SITE);
    unsigned base = x->self & ~unsigned(width - 1);
    return emu_from_lane<T>(x, base + (unsigned(source) & unsigned(width - 1)), EMU_SITE);
}
template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_CALL T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    emu_check_width(width, EMU_SITE);
    const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), EMU_SITE);
    int base = int(x->self & ~unsigned(width - 1)), from = int(x->self) - int(emu_distance(delta));
    return from < base ? v : emu_from_lane<T>(x, unsigned(from), EMU_SITE);
}
template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_CALL T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    emu_check_width(width, EMU_SITE);
    const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), EMU_SITE);
    unsigned end = (x->self & ~unsigned(width - 1)) + unsigned(width), from = x->self + emu_distance(delta);
    return from >= end ? v : emu_from_lane<T>(x, from, EMU_SITE);
}
template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_CALL T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {
    emu_check_width(width, EMU_SITE);
    const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), EMU_SITE);
    unsigned end = (x->self & ~unsigned(width - 1)) + unsigned(width), from = x->self ^ emu_distance(unsigned(lanes));
    return from >= end ? v : emu_from_lane<T>(x, from, EMU_SITE);
}
// Of the lanes that took part, those that said yes; or, if `alike`, those with the value of this one.
EMU_FN unsigned emu_of_lanes(const EmuExchange* x, bool alike) {
    unsigned out = 0;
    for (unsigned i = 0; i < 32; i++)
        if ((x->lanes >> i) & 1 && (alike ? x->value[i] == x->value[x->self] : x->value[i] != 0)) out |= 1u << i;
    return out;
}
EMU_CALL unsigned __ballot_sync(unsigned mask, int p) { return emu_of_lanes(emu_warp_exchange(mask, p != 0, EMU_SITE), false); }
EMU_CALL int __any_sync(unsigned mask, int p) {
    return emu_of_lanes(emu_warp_exchange(mask, p != 0, EMU_SITE), false) ? emu_yes() : 0;
}
EMU_CALL int __all_sync(unsigned mask, int p) {
    const EmuExchange* x = emu_warp_exchange(mask, p != 0, EMU_SITE);
    return emu_of_lanes(x, false) == x->lanes ? emu_yes() : 0;
}
EMU_CALL int __uni_sync(unsigned mask, int p) {
    const EmuExchange* x = emu_warp_exchange(mask, p != 0, EMU_SITE);
    return emu_of_lanes(x, true) == x->lanes;
}
template <class T, EMU_IF(emu_is_number<T>)> EMU_CALL unsigned __match_any_sync(unsigned mask, T v) {
    return emu_of_lanes(emu_warp_exchange(mask, emu_bits(v), EMU_SITE), true);
}
template <class T> EMU_CALL unsigned emu_match_all(unsigned mask, T v, const void* site) {
    const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), site, "__match_all_sync");
    return emu_of_lanes(x, true) == x->lanes ? x->lanes : 0;
}
EMU_CALL const void* emu_here() { return EMU_SITE; }
template <class T, EMU_IF(emu_is_number<T>)> EMU_INLINE unsigned __match_all_sync(unsigned mask, T v, int* all_equal) {
    unsigned lanes = emu_match_all(mask, v, emu_here());
    *all_equal = lanes != 0;
    return lanes;
}
#define EMU_REDUCE(name, T, combine)                                                              \
    EMU_CALL T name(unsigned mask, T v) {                                                         \
        const EmuExchange* x = emu_warp_exchange(mask, emu_bits(v), EMU_SITE);                    \
        T a = v;                                                                                  \
        for (unsigned i = 0; i < 32; i++)                                                         \
            if (i != x->self && (x->lanes >> i) & 1) { T b = emu_value<T>(x->value[i]); a = combine; } \
        return a;                                                                                 \
    }
EMU_REDUCE(__reduce_add_sync, unsigned, a + b)
EMU_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
EMU_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
EMU_REDUCE(__reduce_min_sync, int, a < b ? a : b)
EMU_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
EMU_REDUCE(__reduce_max_sync, int, a > b ? a : b)
EMU_REDUCE(__reduce_and_sync, unsigned, a & b)
EMU_REDUCE(__reduce_or_sync, unsigned, a | b)
EMU_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef EMU_REDUCE

#include "prelude_atomics.h"
#include "prelude_math.h"
#include "prelude_intrinsics.h"
#include "prelude_simd.h"
#include "prelude_narrow.h"
#include "prelude_ptx.h"
#include "prelude_bulk.h"
#include "prelude_ptx_numbers.h"
#include "prelude_wgmma.h"

namespace emu { template <class T> struct Same { using type = T; }; }

// ---- loads and stores that name a cache: plain ones to the emulator, but for that of what nobody writes --------------
template <class T> EMU_INLINE T __ldg(const T* p) {
    emu_load_read_only(p, sizeof(T));
    return *p;
}
#define EMU_LOAD(name) template <class T> EMU_INLINE T name(const T* p) { return *p; }
#define EMU_STORE(name) template <class T> EMU_INLINE void name(T* p, typename emu::Same<T>::type v) { *p = v; }
EMU_LOAD(__ldcg) EMU_LOAD(__ldca) EMU_LOAD(__ldcs) EMU_LOAD(__ldlu) EMU_LOAD(__ldcv)
EMU_STORE(__stwb) EMU_STORE(__stcg) EMU_STORE(__stcs) EMU_STORE(__stwt)
#undef EMU_LOAD
#undef EMU_STORE

#ifndef EMU_HOSTED
// The compiler makes an instrumented copy of each of these.
EMU_LIBRARY void* memcpy(void*, const void*, size_t);
EMU_LIBRARY void* memset(void*, int, size_t);
EMU_LIBRARY void* memmove(void*, const void*, size_t);
#endif
template <class T> inline constexpr bool emu_is_printed = __is_arithmetic(T) || __is_enum(T);
// What `...` makes of an argument, in 8 bytes.
template <class T> EMU_FN unsigned long long emu_argument(T v) {
    if constexpr (__is_floating_point(T)) return emu_bits(double(v));
    else if constexpr (__is_pointer(T) || __is_same(T, decltype(nullptr))) return (unsigned long long)v;
    else if constexpr (emu_is_printed<T>) return (unsigned long long)(long long)(v + 0);
    else static_assert(emu_is_printed<T>, "printf takes numbers and pointers");
}
#ifdef EMU_HOSTED
#define emu_print_all printf
#endif
template <class... T> EMU_CALL int emu_print_all(const char* format, T... values) {
    const unsigned long long arguments[] = {emu_argument(values)..., 0};
    return emu_print(format, arguments, sizeof...(T), EMU_SITE);
}
#ifdef EMU_HOSTED
#undef emu_print_all
namespace std { using ::printf; }
// The heap of a whole program's kernels, see hooks/device_heap.h: no other kernel has one. Where too little is left, all
// of these return null.
EMU_CALL void* malloc(size_t bytes) { return emu_allocate(bytes, EMU_SITE); }
EMU_CALL void free(void* memory) { emu_free(memory, EMU_SITE); }
namespace std {
using ::free;
using ::malloc;
}
#define EMU_NEW(...) EMU_METHOD inline void* operator __VA_ARGS__ { return emu_allocate(bytes, EMU_SITE); }
#define EMU_DELETE(...) EMU_METHOD inline void operator __VA_ARGS__ noexcept { emu_free(memory, EMU_SITE); }
EMU_NEW(new(size_t bytes))
EMU_NEW(new[](size_t bytes))
EMU_DELETE(delete(void* memory))
EMU_DELETE(delete[](void* memory))
EMU_DELETE(delete(void* memory, size_t))
EMU_DELETE(delete[](void* memory, size_t))
EMU_RAW inline void* operator new(size_t, void* place) noexcept { return place; }
EMU_RAW inline void* operator new[](size_t, void* place) noexcept { return place; }
EMU_RAW inline void operator delete(void*, void*) noexcept {}
EMU_RAW inline void operator delete[](void*, void*) noexcept {}
EMU_CALL void __assert_fail(const char* text, const char*, unsigned, const char*) { emu_trap(text, EMU_SITE); }
#else
#define printf(...) emu_print_all(__VA_ARGS__)
namespace std { using ::emu_print_all; using ::printf; }
#define assert(condition) ((condition) ? (void)0 : emu_assert(#condition))
EMU_CALL void emu_assert(const char* text) { emu_trap(text, EMU_SITE); }
#endif
EMU_CALL void __trap() { emu_trap("__trap()", EMU_SITE); }
EMU_FN long long clock64() { return emu_clock(); }
typedef long clock_t;
EMU_FN clock_t clock() { return int(emu_clock()); }
EMU_CALL void __nanosleep(unsigned) { emu_sleep(EMU_SITE); }
#ifdef EMU_HOSTED
#include "prelude_launches.h"
#endif
EMU_FN void cudaGridDependencySynchronize() { emu_grid_wait(); }
EMU_FN void cudaTriggerProgrammaticLaunchCompletion() { emu_grid_trigger(); }
