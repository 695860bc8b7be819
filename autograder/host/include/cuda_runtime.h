// What nvcc puts in front of each file, for the host's half of it. The words __global__, __device__ and __host__ stay in the
// text until the GPU's half is taken out (host/device_bodies.py).
#pragma once
#include "cuda_arrays.h"
#include "cuda_graphs.h"
#include "cuda_runtime_api.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __grid_constant__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __NVCC__ 1
#ifdef __CUDA__
#define __CUDACC__ 1
#endif

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

// What kernels see, by name alone: for functions of both halves.
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

// ---- functions that CUDA's headers give the host, too
#define EMU_BOTH static inline __attribute__((host, device, nodebug))
#define EMU_MIN_MAX(T)                                 \
    EMU_BOTH T min(T a, T b) { return b < a ? b : a; } \
    EMU_BOTH T max(T a, T b) { return a < b ? b : a; }
EMU_MIN_MAX(int)
EMU_MIN_MAX(unsigned)
EMU_MIN_MAX(long)
EMU_MIN_MAX(unsigned long)
EMU_MIN_MAX(long long)
EMU_MIN_MAX(unsigned long long)
EMU_MIN_MAX(float)
EMU_MIN_MAX(double)
#undef EMU_MIN_MAX
#define EMU_MIN_MAX_OF(A, B, T)                          \
    EMU_BOTH T min(A a, B b) { return min((T)a, (T)b); } \
    EMU_BOTH T max(A a, B b) { return max((T)a, (T)b); } \
    EMU_BOTH T min(B a, A b) { return min((T)a, (T)b); } \
    EMU_BOTH T max(B a, A b) { return max((T)a, (T)b); }
EMU_MIN_MAX_OF(int, unsigned, unsigned)
EMU_MIN_MAX_OF(long, unsigned long, unsigned long)
EMU_MIN_MAX_OF(long long, unsigned long long, unsigned long long)
EMU_MIN_MAX_OF(float, double, double)
#undef EMU_MIN_MAX_OF
// (A newer C library declares these, too; the one that programs are linked with does not have them.)
EMU_BOTH float emu_rsqrtf(float x) { return 1.0f / sqrtf(x); }
EMU_BOTH double emu_rsqrt(double x) { return 1.0 / sqrt(x); }
EMU_BOTH float emu_sinpif(float x) { return sinf(x * 3.14159265358979323846f); }
EMU_BOTH float emu_cospif(float x) { return cosf(x * 3.14159265358979323846f); }
#define rsqrtf emu_rsqrtf
#define rsqrt emu_rsqrt
#define sinpif emu_sinpif
#define cospif emu_cospif

// ---- the same functions for pointers, kernels and symbols of any type
// Tells the emulator what elements new memory has, which a kernel that gets its address in a struct does not say.
template <class T, size_t size = sizeof(T)>
static inline __attribute__((always_inline, nodebug)) cudaError_t emu_typed(T** p, cudaError_t error) {
    if (!error)
        emuElements(*p, __is_floating_point(T) ? 'f' : __is_signed(T) ? 'i' : __is_unsigned(T) ? 'u' : 'V', size);
    return error;
}
static inline cudaError_t emu_typed(void* of_an_incomplete_type, cudaError_t error) { return error; }
#define EMU_TYPED template <class T> static inline __attribute__((always_inline, nodebug)) cudaError_t
EMU_TYPED cudaMalloc(T** p, size_t n) { return emu_typed(p, cudaMalloc((void**)p, n)); }
EMU_TYPED cudaMallocHost(T** p, size_t n, unsigned = 0) { return emu_typed(p, cudaMallocHost((void**)p, n)); }
EMU_TYPED cudaHostAlloc(T** p, size_t n, unsigned flags) { return emu_typed(p, cudaHostAlloc((void**)p, n, flags)); }
EMU_TYPED cudaMallocManaged(T** p, size_t n, unsigned flags = 1) {
    return emu_typed(p, cudaMallocManaged((void**)p, n, flags));
}
EMU_TYPED cudaMallocPitch(T** p, size_t* pitch, size_t w, size_t h) {
    return emu_typed(p, cudaMallocPitch((void**)p, pitch, w, h));
}
EMU_TYPED cudaMallocAsync(T** p, size_t n, cudaStream_t s) { return emu_typed(p, cudaMallocAsync((void**)p, n, s)); }
static inline __attribute__((always_inline, nodebug)) cudaError_t
cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource, const cudaTextureDesc* texture) {
    return cudaCreateTextureObject(object, resource, texture, nullptr);
}
EMU_TYPED cudaHostGetDevicePointer(T** d, void* h, unsigned f) { return cudaHostGetDevicePointer((void**)d, h, f); }
EMU_TYPED cudaMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void*)&symbol, from, n, offset, kind);
}
EMU_TYPED cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset, cudaMemcpyKind kind,
                                  cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void*)&symbol, from, n, offset, kind, stream);
}
EMU_TYPED cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, (const void*)&symbol, n, offset, kind);
}
EMU_TYPED cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t n, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, n, offset, kind, stream);
}
EMU_TYPED cudaGetSymbolAddress(void** p, const T& symbol) { return cudaGetSymbolAddress(p, (const void*)&symbol); }
EMU_TYPED cudaGetSymbolSize(size_t* n, const T& symbol) { return cudaGetSymbolSize(n, (const void*)&symbol); }
EMU_TYPED cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                           cudaStream_t stream = 0) {
    return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
EMU_TYPED cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                      cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
EMU_TYPED cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
EMU_TYPED cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void*)kernel, config);
}
EMU_TYPED cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
EMU_TYPED cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block, shared);
}
// The block size with the most warps on an SM; the largest of several.
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T kernel, F shared,
                                                                         int limit = 0) {
    int best = 0, multiprocessors = 0;
    cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0 && !error; size = (size - 1) / 32 * 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)kernel, size, shared(size));
        if (blocks * size > best) best = blocks * size, *block = size, *grid = blocks * multiprocessors;
    }
    return error;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T kernel, size_t shared = 0,
                                                             int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return shared; }, limit);
}
// A variable that is __managed__: where it lies for the host and for kernels (host/managed.py).
template <class T, T& variable> static inline T& emu_managed(const char* unit) {
    return *(T*)emuManaged(unit, __PRETTY_FUNCTION__, &variable, sizeof(T));
}
// As CUDA 13 has them.
static inline __attribute__((always_inline, nodebug)) cudaError_t cudaMemPrefetchAsync(const void* p, size_t n,
                                                                                       cudaMemLocation to, unsigned,
                                                                                       cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(p, n, to.id, stream);
}
static inline __attribute__((always_inline, nodebug)) cudaError_t cudaMemAdvise(const void* p, size_t n,
                                                                                cudaMemoryAdvise advice,
                                                                                cudaMemLocation at) {
    return cudaMemAdvise(p, n, advice, at.id);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
#undef EMU_TYPED
#undef EMU_BOTH
