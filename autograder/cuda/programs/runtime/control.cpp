// Devices, streams, events and errors.
#include "channel.h"
#include "host_writes.h"
#include <stdarg.h>

using emulated::Channel;
using emulated::put;
using emulated::Reply;
using emulated::u64;

// A stream calls a function, which is known to have run once the host has waited.
template <class F> static cudaError_t call_back(F function) {
    emulated::HostWrites before;
    function();
    return Channel::open().request("end host function", nullptr, before.changed()).error;
}

extern "C" {
// ---- errors
cudaError_t cudaGetLastError() { return REQUEST().error; }
cudaError_t cudaPeekAtLastError() { return REQUEST().error; }
const char* cudaGetErrorString(cudaError_t error) {
    switch (int(error)) {
#define EMU_ERROR(name, number, text) \
    case number:                      \
        return text;
#include "cuda_errors.h"
#undef EMU_ERROR
    }
    return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
    switch (int(error)) {
#define EMU_ERROR(name, number, text) \
    case number:                      \
        return #name;
#include "cuda_errors.h"
#undef EMU_ERROR
    }
    return "unrecognized error code";
}

// ---- devices
cudaError_t cudaGetDeviceCount(int* count) { return put(REQUEST(), count); }
cudaError_t cudaGetDevice(int* device) { return put(REQUEST(), device); }
cudaError_t cudaSetDevice(int device) {
    cudaError_t error = REQUEST(device).error;
    if (!error) emulated::device = device;
    return error;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return REQUEST().error; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return put(REQUEST(attribute, device), value);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    Reply reply = REQUEST(device);
    if (!reply) return reply.error;
    cudaDeviceProp p = {};
    snprintf(p.name, sizeof p.name, "%s", reply.bytes.c_str());
    p.totalGlobalMem = reply[0];
    auto value = [&](cudaDeviceAttr attribute) { return int(reply[1 + size_t(attribute)]); };
    p.sharedMemPerBlock = size_t(value(cudaDevAttrMaxSharedMemoryPerBlock));
    p.regsPerBlock = value(cudaDevAttrMaxRegistersPerBlock);
    p.warpSize = value(cudaDevAttrWarpSize);
    p.memPitch = size_t(value(cudaDevAttrMaxPitch));
    p.maxThreadsPerBlock = value(cudaDevAttrMaxThreadsPerBlock);
    for (int i = 0; i < 3; i++) {
        p.maxThreadsDim[i] = value(cudaDeviceAttr(cudaDevAttrMaxBlockDimX + i));
        p.maxGridSize[i] = value(cudaDeviceAttr(cudaDevAttrMaxGridDimX + i));
    }
    p.clockRate = value(cudaDevAttrClockRate);
    p.totalConstMem = size_t(value(cudaDevAttrTotalConstantMemory));
    p.major = value(cudaDevAttrComputeCapabilityMajor);
    p.minor = value(cudaDevAttrComputeCapabilityMinor);
    p.textureAlignment = p.surfaceAlignment = size_t(value(cudaDevAttrTextureAlignment));
    p.texturePitchAlignment = 32;
    p.deviceOverlap = value(cudaDevAttrGpuOverlap);
    p.multiProcessorCount = value(cudaDevAttrMultiProcessorCount);
    p.pciBusID = value(cudaDevAttrPciBusId);
    p.canMapHostMemory = value(cudaDevAttrCanMapHostMemory);
    p.concurrentKernels = value(cudaDevAttrConcurrentKernels);
    p.asyncEngineCount = value(cudaDevAttrAsyncEngineCount);
    p.unifiedAddressing = value(cudaDevAttrUnifiedAddressing);
    p.memoryClockRate = value(cudaDevAttrMemoryClockRate);
    p.memoryBusWidth = value(cudaDevAttrGlobalMemoryBusWidth);
    p.l2CacheSize = value(cudaDevAttrL2CacheSize);
    p.persistingL2CacheMaxSize = value(cudaDevAttrMaxPersistingL2CacheSize);
    p.accessPolicyMaxWindowSize = value(cudaDevAttrMaxAccessPolicyWindowSize);
    p.maxThreadsPerMultiProcessor = value(cudaDevAttrMaxThreadsPerMultiProcessor);
    p.streamPrioritiesSupported = value(cudaDevAttrStreamPrioritiesSupported);
    p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = size_t(value(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    p.regsPerMultiprocessor = value(cudaDevAttrMaxRegistersPerMultiprocessor);
    p.managedMemory = value(cudaDevAttrManagedMemory);
    p.concurrentManagedAccess = value(cudaDevAttrConcurrentManagedAccess);
    p.cooperativeLaunch = value(cudaDevAttrCooperativeLaunch);
    p.sharedMemPerBlockOptin = size_t(value(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    p.maxBlocksPerMultiProcessor = value(cudaDevAttrMaxBlocksPerMultiprocessor);
    p.reservedSharedMemPerBlock = size_t(value(cudaDevAttrReservedSharedMemoryPerBlock));
    *properties = p;
    return reply.error;
}
cudaError_t cudaDeviceSynchronize() { return REQUEST().error; }
cudaError_t cudaThreadSynchronize() {
    return emulated::request_by("cudaDeviceSynchronize", __builtin_return_address(0)).error;
}
cudaError_t cudaDeviceReset() { return REQUEST().error; }
cudaError_t cudaThreadExit() { return emulated::request_by("cudaDeviceReset", __builtin_return_address(0)).error; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return *config = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) { return put(REQUEST(limit), value); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) { return REQUEST(limit, value).error; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) { return put(REQUEST(device, peer), can); }
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    return put(REQUEST(attribute, device, peer), value);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) { return REQUEST(peer, flags).error; }
cudaError_t cudaDeviceDisablePeerAccess(int peer) { return REQUEST(peer).error; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) { return put(REQUEST(device), pool); }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, size_t count) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && !error; i++)
        error = REQUEST(pool, accesses[i].location.id, accesses[i].flags).error;
    return error;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return *least = 0, *greatest = -5, cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return snprintf(text, size_t(length), "0000:%02x:00.0", device + 1), cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

// ---- streams and events
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return put(REQUEST(0), stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return put(emulated::request_by("cudaStreamCreate", __builtin_return_address(0), flags), stream);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return put(emulated::request_by("cudaStreamCreate", __builtin_return_address(0), flags), stream);
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return REQUEST(stream).error; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return REQUEST(stream).error; }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return REQUEST(stream).error; }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return REQUEST(stream, event).error;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    Reply reply = REQUEST(stream);
    if (!reply) return reply.error;
    return call_back([=] { callback(stream, cudaSuccess, data); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    Reply reply = REQUEST(stream, function, data);
    if (!reply || reply.is_node()) return reply.error;
    return call_back([=] { function(data); });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return put(REQUEST(0), event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return put(emulated::request_by("cudaEventCreate", __builtin_return_address(0), flags), event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return REQUEST(event).error; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return REQUEST(event, stream).error; }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return REQUEST(event).error; }
cudaError_t cudaEventQuery(cudaEvent_t event) { return REQUEST(event).error; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    Reply reply = REQUEST(start, end);
    if (reply) *milliseconds = float(reply[0]) / 1e6f;
    return reply.error;
}
}
