// The driver's modules, of what NVRTC or `autograder cc` has compiled, and launches of their functions.
#include <cuda.h>

#include "arguments.h"

using emulated::Channel;
using emulated::Reply;
using emulated::u64;

// What stands for PTX and machine code (cuda/programs/launches/modules.py).
static const char IMAGE[] = "// autograder: unit ";

static CUresult load(const void* site, CUmodule* module, const char* image) {
    std::string unit;
    if (!strncmp(image, IMAGE, sizeof IMAGE - 1)) {
        const char* head = image + sizeof IMAGE - 1;
        size_t line = strcspn(head, "\n");
        unit.assign(head, line);
        size_t space = unit.find(' '), more = space < line ? strtoull(head + space, nullptr, 10) : 0;
        if (head[line]) unit.append(head + line, 1 + strnlen(head + line + 1, more));
    }
    return CUresult(emulated::put(Channel::open().request("cuModuleLoadData", site, {}, unit), module));
}

extern "C" {
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return load(__builtin_return_address(0), module, (const char*)image);
}
CUresult cuModuleLoad(CUmodule* module, const char* name) {
    FILE* file = fopen(name, "rb");
    if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
    std::string image;
    char part[4096];
    while (size_t read = fread(part, 1, sizeof part, file)) image.append(part, read);
    fclose(file);
    return load(__builtin_return_address(0), module, image.c_str());
}
CUresult cuModuleUnload(CUmodule module) { return CUresult(REQUEST(module).error); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    Reply reply = Channel::open().request(HERE, {(u64)module}, name);
    if (reply) emulated::register_kernel((void*)reply[0], reply.bytes);
    return CUresult(emulated::put(reply, function));
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
    Reply reply = Channel::open().request(HERE, {(u64)module}, name);
    if (reply && bytes) *bytes = reply[1];
    return pointer ? CUresult(emulated::put(reply, pointer)) : CUresult(reply.error);
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra) {
    if (extra) {
        fprintf(stderr, "cuLaunchKernel: `extra` is not supported by the emulator: use `kernelParams`.\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return emu_result(emulated::launch("cudaLaunchKernel", __builtin_return_address(0), function,
                                       {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments, shared,
                                       stream));
}
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned value, size_t count) {
    Reply reply = emulated::request_by("cudaMemset", __builtin_return_address(0), pointer, value, count * sizeof value);
    unsigned* there = (unsigned*)Channel::open().at((void*)pointer);
    for (size_t i = 0; reply && i < count; i++) there[i] = value;
    return emu_result(reply.error);
}
CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult error, const char** name) {
    switch (error) {
#define EMU_RESULT(result, number) \
    case number:                   \
        return *name = #result, CUDA_SUCCESS;
#include "cuda_results.h"
#undef EMU_RESULT
    }
    return *name = nullptr, CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
    return *text = cudaGetErrorString(cudaError_t(error)), CUDA_SUCCESS;
}
}
