// The driver's API, as far as samples use it: each function is what the runtime's does, so what is found names that one.
// Modules and their functions are in cuda/programs/runtime/modules.cpp. A context is its GPU's: there is one for each.
#pragma once

#include <cuda_runtime.h>
#include <string.h>

typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUctxCreateParams_st CUctxCreateParams;
struct CUctxCreateParams_st {
    void* parameters[4];
};
typedef size_t (*CUoccupancyB2DSize)(int);
typedef cudaFuncCache CUfunc_cache;
typedef cudaLimit CUlimit;
typedef enum {
    CU_JIT_MAX_REGISTERS,
    CU_JIT_THREADS_PER_BLOCK,
    CU_JIT_WALL_TIME,
    CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_ERROR_LOG_BUFFER,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_TARGET_FROM_CUCONTEXT,
    CU_JIT_TARGET
} CUjit_option;
#define CU_CTX_SCHED_AUTO 0u
#define CU_CTX_SCHED_SPIN 1u
#define CU_CTX_SCHED_YIELD 2u
#define CU_CTX_SCHED_BLOCKING_SYNC 4u
#define CU_CTX_MAP_HOST 8u
#define CU_STREAM_DEFAULT 0u
#define CU_STREAM_NON_BLOCKING 1u
#define CU_EVENT_DEFAULT 0u
#define CU_EVENT_BLOCKING_SYNC 1u
#define CU_EVENT_DISABLE_TIMING 2u
#define CU_MEM_ATTACH_GLOBAL 1u
#define CU_MEMHOSTALLOC_PORTABLE 1u
#define CU_MEMHOSTALLOC_DEVICEMAP 2u
#define CU_MEMHOSTALLOC_WRITECOMBINED 4u
#define CU_LAUNCH_PARAM_END ((void*)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)2)
// Numbers are the same in both APIs.
typedef enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT,
    CU_DEVICE_ATTRIBUTE_INTEGRATED,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
} CUdevice_attribute;
typedef enum { CU_COMPUTEMODE_DEFAULT, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS } CUcomputemode;
typedef enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_NUM_REGS,
    CU_FUNC_ATTRIBUTE_PTX_VERSION,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

extern "C" {
CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned value, size_t count);
}

#define EMU_CU static inline __attribute__((always_inline, nodebug, unused)) CUresult
// (The driver knows fewer errors.)
EMU_CU emu_result(cudaError_t error) {
    if (error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidPitchValue) return CUDA_ERROR_INVALID_VALUE;
    if (error == cudaErrorInvalidSymbol) return CUDA_ERROR_NOT_FOUND;
    return CUresult(error);
}
static inline CUcontext emu_context(int device) { return (CUcontext)(size_t)(device + 1); }
static inline int emu_device(CUcontext context) { return int((size_t)context) - 1; }
#define EMU_DRIVER(name, parameters, what) \
    EMU_CU name parameters { return emu_result(what); }
#define EMU_P(pointer) ((void*)(pointer))

// ---- devices and contexts
EMU_DRIVER(cuDriverGetVersion, (int* version), cudaDriverGetVersion(version))
EMU_DRIVER(cuDeviceGetCount, (int* count), cudaGetDeviceCount(count))
EMU_CU cuDeviceGet(CUdevice* device, int number) {
    int count = 0;
    CUresult result = emu_result(cudaGetDeviceCount(&count));
    if (!result && (number < 0 || number >= count)) return CUDA_ERROR_INVALID_DEVICE;
    return *device = number, result;
}
EMU_CU cuDeviceGetName(char* name, int size, CUdevice device) {
    cudaDeviceProp properties;
    CUresult result = emu_result(cudaGetDeviceProperties(&properties, device));
    if (!result && size > 0) strncpy(name, properties.name, size_t(size) - 1), name[size - 1] = 0;
    return result;
}
EMU_CU cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    cudaDeviceProp properties;
    CUresult result = emu_result(cudaGetDeviceProperties(&properties, device));
    if (!result) *bytes = properties.totalGlobalMem;
    return result;
}
EMU_DRIVER(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device),
           cudaDeviceGetAttribute(value, cudaDeviceAttr(attribute), device))
EMU_DRIVER(cuDeviceCanAccessPeer, (int* can, CUdevice device, CUdevice peer),
           cudaDeviceCanAccessPeer(can, device, peer))
EMU_DRIVER(cuDeviceGetPCIBusId, (char* text, int size, CUdevice device), cudaDeviceGetPCIBusId(text, size, device))
EMU_CU cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
    CUresult result = emu_result(cudaSetDevice(device));
    return *context = result ? nullptr : emu_context(device), result;
}
EMU_CU cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {  // as CUDA 13 has it
    return cuCtxCreate(context, flags, device);
}
EMU_CU cuCtxDestroy(CUcontext context) { return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }
EMU_CU cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return *context = emu_context(device), CUDA_SUCCESS;
}
EMU_CU cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
EMU_DRIVER(cuCtxSetCurrent, (CUcontext context), context ? cudaSetDevice(emu_device(context)) : cudaSuccess)
EMU_CU cuCtxGetDevice(CUdevice* device) { return emu_result(cudaGetDevice(device)); }
EMU_CU cuCtxGetCurrent(CUcontext* context) {
    int device = 0;
    CUresult result = emu_result(cudaGetDevice(&device));
    return *context = emu_context(device), result;
}
EMU_DRIVER(cuCtxSynchronize, (), cudaDeviceSynchronize())
EMU_DRIVER(cuCtxSetLimit, (CUlimit limit, size_t value), cudaDeviceSetLimit(limit, value))
EMU_DRIVER(cuCtxGetLimit, (size_t* value, CUlimit limit), cudaDeviceGetLimit(value, limit))
EMU_DRIVER(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags), cudaDeviceEnablePeerAccess(emu_device(peer), flags))
EMU_DRIVER(cuCtxDisablePeerAccess, (CUcontext peer), cudaDeviceDisablePeerAccess(emu_device(peer)))

// ---- memory
EMU_DRIVER(cuMemAlloc, (CUdeviceptr * p, size_t n), cudaMalloc((void**)p, n))
EMU_DRIVER(cuMemAllocManaged, (CUdeviceptr * p, size_t n, unsigned flags), cudaMallocManaged((void**)p, n, flags))
EMU_DRIVER(cuMemAllocPitch, (CUdeviceptr * p, size_t* pitch, size_t width, size_t height, unsigned),
           cudaMallocPitch((void**)p, pitch, width, height))
EMU_DRIVER(cuMemAllocHost, (void** p, size_t n), cudaMallocHost(p, n))
EMU_DRIVER(cuMemHostAlloc, (void** p, size_t n, unsigned flags), cudaHostAlloc(p, n, flags))
EMU_DRIVER(cuMemHostGetDevicePointer, (CUdeviceptr * p, void* host, unsigned flags),
           cudaHostGetDevicePointer((void**)p, host, flags))
EMU_DRIVER(cuMemAllocAsync, (CUdeviceptr * p, size_t n, CUstream stream), cudaMallocAsync((void**)p, n, stream))
EMU_DRIVER(cuMemFree, (CUdeviceptr p), cudaFree(EMU_P(p)))
EMU_DRIVER(cuMemFreeAsync, (CUdeviceptr p, CUstream stream), cudaFreeAsync(EMU_P(p), stream))
EMU_DRIVER(cuMemFreeHost, (void* p), cudaFreeHost(p))
EMU_DRIVER(cuMemGetInfo, (size_t* free, size_t* total), cudaMemGetInfo(free, total))
EMU_DRIVER(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t n),
           cudaMemcpy(EMU_P(to), EMU_P(from), n, cudaMemcpyDefault))
EMU_DRIVER(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream),
           cudaMemcpyAsync(EMU_P(to), EMU_P(from), n, cudaMemcpyDefault, stream))
EMU_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void* from, size_t n),
           cudaMemcpy(EMU_P(to), from, n, cudaMemcpyHostToDevice))
EMU_DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, size_t n, CUstream stream),
           cudaMemcpyAsync(EMU_P(to), from, n, cudaMemcpyHostToDevice, stream))
EMU_DRIVER(cuMemcpyDtoH, (void* to, CUdeviceptr from, size_t n), cudaMemcpy(to, EMU_P(from), n, cudaMemcpyDeviceToHost))
EMU_DRIVER(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, size_t n, CUstream stream),
           cudaMemcpyAsync(to, EMU_P(from), n, cudaMemcpyDeviceToHost, stream))
EMU_DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t n),
           cudaMemcpy(EMU_P(to), EMU_P(from), n, cudaMemcpyDeviceToDevice))
EMU_DRIVER(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream),
           cudaMemcpyAsync(EMU_P(to), EMU_P(from), n, cudaMemcpyDeviceToDevice, stream))
EMU_DRIVER(cuMemcpyPeer, (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t n),
           cudaMemcpyPeer(EMU_P(to), emu_device(there), EMU_P(from), emu_device(here), n))
EMU_DRIVER(cuMemsetD8, (CUdeviceptr p, unsigned char value, size_t n), cudaMemset(EMU_P(p), value, n))
EMU_DRIVER(cuMemsetD8Async, (CUdeviceptr p, unsigned char value, size_t n, CUstream stream),
           cudaMemsetAsync(EMU_P(p), value, n, stream))

// ---- streams and events
EMU_DRIVER(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
EMU_DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
EMU_DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
EMU_DRIVER(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
EMU_DRIVER(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned), cudaStreamWaitEvent(stream, event))
EMU_DRIVER(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
EMU_DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
EMU_DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
EMU_DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
EMU_DRIVER(cuEventQuery, (CUevent event), cudaEventQuery(event))
EMU_DRIVER(cuEventElapsedTime, (float* time, CUevent start, CUevent end), cudaEventElapsedTime(time, start, end))

// ---- functions of modules
EMU_CU cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
    return cuModuleLoadData(module, image);
}
EMU_CU cuModuleLoadFatBinary(CUmodule* module, const void* image) { return cuModuleLoadData(module, image); }
EMU_DRIVER(cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config), cudaFuncSetCacheConfig(function, config))
EMU_DRIVER(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value),
           cudaFuncSetAttribute(function, cudaFuncAttribute(attribute), value))
EMU_CU cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    cudaFuncAttributes all;
    CUresult result = emu_result(cudaFuncGetAttributes(&all, function));
    int known[] = {all.maxThreadsPerBlock,
                   int(all.sharedSizeBytes),
                   int(all.constSizeBytes),
                   int(all.localSizeBytes),
                   all.numRegs,
                   all.ptxVersion,
                   all.binaryVersion,
                   all.cacheModeCA,
                   all.maxDynamicSharedSizeBytes};
    if (unsigned(attribute) >= sizeof known / sizeof *known) return CUDA_ERROR_INVALID_VALUE;
    return *value = known[attribute], result;
}
EMU_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, CUfunction function, int block, size_t shared),
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared))
EMU_CU cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                        size_t shared, int limit) {
    auto bytes = [=](int size) { return shared_of ? shared_of(size) : shared; };
    return emu_result(cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, bytes, limit));
}
#include "cuda_driver_arrays.h"
#undef EMU_DRIVER
#undef EMU_CU
#undef EMU_P
