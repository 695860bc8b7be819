// Atomic functions, by type and scope as in the CUDA C++ Programming Guide, "Atomic Functions".
#pragma once

// Fibers switch only inside the runtime, so a plain read-modify-write here is indivisible.
#define EMU_ATOMIC_SCOPED(name, T, scope, expr, hook)                                             \
    EMU_CALL T name(T* address, T v) {                                                            \
        hook(address, sizeof(T), scope, EMU_SITE);                                                \
        T old = *address;                                                                         \
        *address = (expr);                                                                        \
        return old;                                                                               \
    }
#define EMU_ATOMIC_WITH_HOOK(name, T, expr, hook)                                                      \
    EMU_ATOMIC_SCOPED(name, T, EMU_SCOPE_DEVICE, expr, hook)                                      \
    EMU_ATOMIC_SCOPED(name##_system, T, EMU_SCOPE_DEVICE, expr, hook)                             \
    EMU_ATOMIC_SCOPED(name##_block, T, EMU_SCOPE_BLOCK, expr, hook)
#define EMU_ATOMIC(name, T, expr) EMU_ATOMIC_WITH_HOOK(name, T, expr, emu_atomic)
#define EMU_ATOMIC_32_64(name, expr)                                                              \
    EMU_ATOMIC(name, int, expr)                                                                   \
    EMU_ATOMIC(name, unsigned, expr)                                                              \
    EMU_ATOMIC(name, unsigned long long, expr)
EMU_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(v)))
EMU_ATOMIC(atomicAdd, unsigned, old + v)
EMU_ATOMIC(atomicAdd, unsigned long long, old + v)
EMU_ATOMIC(atomicAdd, float, old + v)
EMU_ATOMIC(atomicAdd, double, old + v)
// Compute capability 9.0 and global memory only.
#define EMU_ATOMIC_FLOATS(address, size, scope, site)                                             \
    (emu_atomic_elements(sizeof(float)), emu_atomic(address, size, scope, site))
EMU_ATOMIC_WITH_HOOK(atomicAdd, float2, (float2{old.x + v.x, old.y + v.y}), EMU_ATOMIC_FLOATS)
EMU_ATOMIC_WITH_HOOK(atomicAdd, float4, (float4{old.x + v.x, old.y + v.y, old.z + v.z, old.w + v.w}), EMU_ATOMIC_FLOATS)
#undef EMU_ATOMIC_FLOATS
EMU_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(v)))
EMU_ATOMIC(atomicSub, unsigned, old - v)
EMU_ATOMIC_WITH_HOOK(atomicExch, int, v, emu_atomic_exchange)
EMU_ATOMIC_WITH_HOOK(atomicExch, unsigned, v, emu_atomic_exchange)
EMU_ATOMIC_WITH_HOOK(atomicExch, unsigned long long, v, emu_atomic_exchange)
EMU_ATOMIC_WITH_HOOK(atomicExch, float, v, emu_atomic_exchange)
EMU_ATOMIC_32_64(atomicMin, old < v ? old : v)
EMU_ATOMIC(atomicMin, long long, old < v ? old : v)
EMU_ATOMIC_32_64(atomicMax, old > v ? old : v)
EMU_ATOMIC(atomicMax, long long, old > v ? old : v)
EMU_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
EMU_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
EMU_ATOMIC_32_64(atomicAnd, old & v)
EMU_ATOMIC(atomicAnd, long long, old & v)
EMU_ATOMIC_32_64(atomicOr, old | v)
EMU_ATOMIC(atomicOr, long long, old | v)
EMU_ATOMIC_32_64(atomicXor, old ^ v)
EMU_ATOMIC(atomicXor, long long, old ^ v)
#undef EMU_ATOMIC_32_64

#define EMU_CAS_SCOPED(name, T, scope)                                                            \
    EMU_CALL T name(T* address, T compare, T v) {                                                 \
        emu_compare_and_swap();                                                                   \
        emu_atomic(address, sizeof(T), scope, EMU_SITE);                                          \
        T old = *address;                                                                         \
        if (old == compare) *address = v;                                                         \
        return old;                                                                               \
    }
#define EMU_CAS(T)                                                                                \
    EMU_CAS_SCOPED(atomicCAS, T, EMU_SCOPE_DEVICE)                                                \
    EMU_CAS_SCOPED(atomicCAS_system, T, EMU_SCOPE_DEVICE)                                         \
    EMU_CAS_SCOPED(atomicCAS_block, T, EMU_SCOPE_BLOCK)
EMU_CAS(int)
EMU_CAS(unsigned)
EMU_CAS(unsigned long long)
EMU_CAS_SCOPED(atomicCAS, unsigned short, EMU_SCOPE_DEVICE)  // (in no other scope)
#undef EMU_CAS
#undef EMU_CAS_SCOPED

// A load and a store, which have no older name. nvcc 12.8 and later have them, with these numbers.
enum {
    __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};
template <class T> EMU_CALL T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    scope = scope <= __NV_THREAD_SCOPE_BLOCK ? EMU_SCOPE_BLOCK : EMU_SCOPE_DEVICE;
    emu_atomic_load(address, sizeof(T), scope, EMU_SITE);
    T v = *address;
    if (order != __NV_ATOMIC_RELAXED) emu_acquire(address, scope);
    return v;
}
template <class T>
EMU_CALL void __nv_atomic_store_n(T* address, T v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    scope = scope <= __NV_THREAD_SCOPE_BLOCK ? EMU_SCOPE_BLOCK : EMU_SCOPE_DEVICE;
    emu_atomic_store(address, sizeof(T), scope, EMU_SITE);
    *address = v;
    if (order != __NV_ATOMIC_RELAXED) emu_release(address, scope);
}

// What a conditional node of a graph decides by. A handle is the address of a word, which lies in the GPU's memory while the
// graph runs (cuda/programs/graphs/graph_conditions.py). That two threads set it is no race: some value stays.
using cudaGraphConditionalHandle = unsigned long long;
EMU_CALL void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
    unsigned* word = (unsigned*)handle;
    emu_atomic_store(word, sizeof(unsigned), EMU_SCOPE_DEVICE, EMU_SITE);
    *word = value;
}
