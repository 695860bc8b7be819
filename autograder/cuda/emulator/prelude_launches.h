// What the kernels of whole programs call of CUDA's runtime: launches, and the streams, memory and errors around them. What
// they launch runs once their own grid is over, see hooks/launches.h.
#pragma once

#pragma clang force_cuda_host_device begin
extern "C" {
// Said just before each launch of what its arguments are: cuda/compiler/passes/launches.py.
void emu_launch_arguments(const void* arguments, unsigned long bytes);
int emu_launch(const void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
               unsigned block_z, unsigned shared, const void* stream, const void* site);
int emu_launch_copy(void* to, const void* from, unsigned long bytes, int kind, const void* stream, const void* site);
int emu_launch_fill(void* to, int value, unsigned long bytes, const void* stream, const void* site);
void* emu_launch_stream(unsigned flags, const void* site);
int emu_launch_stream_end(const void* stream, const void* site);
int emu_launch_error(int forget);  // the thread's last one
}
#pragma clang force_cuda_host_device end

// What clang makes of <<<...>>> in a kernel.
extern "C" {
EMU_DEVICE void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
EMU_METHOD __attribute__((nomerge)) inline cudaError_t cudaLaunchDevice(void* kernel, void* arguments, dim3 grid, dim3 block, unsigned shared,
                                               cudaStream_t stream) {
    return cudaError_t(
        emu_launch(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, EMU_SITE));
}
}

EMU_FN cudaError_t cudaGetLastError() { return cudaError_t(emu_launch_error(1)); }
EMU_FN cudaError_t cudaPeekAtLastError() { return cudaError_t(emu_launch_error(0)); }
EMU_FN const char* cudaGetErrorName(cudaError_t error) {
#define EMU_ERROR(name, number, text) \
    if (error == number) return #name;
#include "cuda_errors.h"
#undef EMU_ERROR
    return "unrecognized error code";
}
EMU_FN const char* cudaGetErrorString(cudaError_t error) {
#define EMU_ERROR(name, number, text) \
    if (error == number) return text;
#include "cuda_errors.h"
#undef EMU_ERROR
    return "unrecognized error code";
}

EMU_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    *stream = (cudaStream_t)emu_launch_stream(flags, emu_here());
    return cudaSuccess;
}
EMU_CALL cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return cudaError_t(emu_launch_stream_end(stream, EMU_SITE));
}
EMU_CALL cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream = 0) {
    return cudaError_t(emu_launch_copy(to, from, bytes, kind, stream, EMU_SITE));
}
EMU_CALL cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0) {
    return cudaError_t(emu_launch_fill(to, value, bytes, stream, EMU_SITE));
}
// (From the kernels' heap, as malloc.)
template <class T> EMU_INLINE cudaError_t cudaMalloc(T** memory, size_t bytes) {
    T* made = (T*)malloc(bytes);
    *memory = made;
    return made || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
EMU_CALL cudaError_t cudaFree(void* memory) {
    emu_free(memory, EMU_SITE);
    return cudaSuccess;
}
