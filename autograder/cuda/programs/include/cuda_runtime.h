// What nvcc puts before each file, for both halves of it.
#pragma once
// Of kernels, too: so clang knows what these functions do.
#pragma clang force_cuda_host_device begin
#include <string.h>
#include <__utility/declval.h>
#pragma clang force_cuda_host_device end
#include "cuda_arrays.h"
#include "cuda_graphs.h"
#include "cuda_runtime_api.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

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

// ---- the same functions for pointers, kernels and symbols of any type
// Tells the emulator what elements new memory has, which a kernel that gets its address in a struct does not say.
template <class T, size_t size = sizeof(T)>
static inline __attribute__((always_inline, nodebug)) cudaError_t emu_typed(T** p, cudaError_t error) {
    if (!error)
        emuElements((void*)*p,
                    __is_floating_point(T) ? 'f'
                    : __is_signed(T)       ? 'i'
                    : __is_unsigned(T)     ? 'u'
                                           : 'V',
                    size);
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
template <class... P, class... A>
static inline __attribute__((always_inline, nodebug)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                                                     void (*kernel)(P...),
                                                                                     A&&... given) {
    auto launch = [&](P... parameters) __attribute__((always_inline, nodebug)) {
        void* arguments[] = {(void*)&parameters..., nullptr};
        return cudaLaunchKernelExC(config, (const void*)kernel, arguments);
    };
    return launch(std::forward<A>(given)...);
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

// ---- what kernels use
#ifdef __CUDA__
#define EMU_HOSTED 1
// (A newer C library declares these, too; the one that programs are linked with does not have them.)
#define cospi emu_own_cospi
#define cospif emu_own_cospif
#define rsqrt emu_own_rsqrt
#define rsqrtf emu_own_rsqrtf
#define sinpi emu_own_sinpi
#define sinpif emu_own_sinpif
#include "prelude.h"
#include "texture_objects.h"
#include "besides/algorithm"
#include "besides/cmath"
#include "besides/utility"
#endif
