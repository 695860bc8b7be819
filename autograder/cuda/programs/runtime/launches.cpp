// Launches: what the compiler makes of <<<...>>>, and what it registers before main.
#include "arguments.h"

#include <map>

using emulated::Channel;
using emulated::Reply;
using emulated::u64;

namespace {
struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const void* site;  // of the <<<...>>>
};
thread_local std::vector<Configuration> pushed;
thread_local const void* launch_site;

struct Code {
    int magic, version;
    const char* unit;
};

// The unit and the symbol of each.
std::map<const void*, std::string>& kernels() {
    static auto* known = new std::map<const void*, std::string>;
    return *known;
}
}  // namespace

void emulated::register_kernel(const void* kernel, const std::string& called) { kernels()[kernel] = called; }

cudaError_t emulated::launch(const char* name, const void* site, const void* kernel, dim3 grid, dim3 block,
                             void** arguments, size_t shared, cudaStream_t stream, std::vector<u64> attributes) {
    auto alone = Channel::open().alone();
    std::string bytes;
    if (cudaError_t error = emulated::arguments_of(kernel, arguments, site, stream, bytes)) return error;
    std::vector<u64> numbers = {grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, emulated::number(stream)};
    numbers.insert(numbers.end(), attributes.begin(), attributes.end());
    return Channel::open().request(name, site, numbers, bytes).error;
}

cudaError_t emulated::arguments_of(const void* kernel, void** arguments, const void* site, cudaStream_t stream,
                                   std::string& bytes) {
    auto known = kernels().find(kernel);
    std::string called = known == kernels().end() ? "" : known->second;
    // First what the parameters take, then their bytes.
    Reply sizes = Channel::open().request("begin launch", site, {number(stream), (u64)kernel}, called);
    if (!sizes) return sizes.error;
    for (size_t i = 0; i < sizes.numbers.size(); i++) bytes.append((const char*)arguments[i], sizes[i]);
    return cudaSuccess;
}

extern "C" {
extern const int warpSize = 32;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    pushed.push_back({grid, block, shared, stream, __builtin_return_address(0)});
    return 0;
}
unsigned __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    const Configuration& last = pushed.back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared;
    *(cudaStream_t*)stream = last.stream;
    launch_site = last.site;
    pushed.pop_back();
    return 0;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
    const void* site = launch_site ? launch_site : __builtin_return_address(0);
    launch_site = nullptr;
    return emulated::launch(__func__, site, kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
    return emulated::launch(__func__, __builtin_return_address(0), kernel, grid, block, arguments, shared, stream);
}
// Of each attribute, its number, and the first three numbers of its value.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    std::vector<u64> attributes;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute& a = config->attrs[i];
        const auto& value = a.val.clusterDim;
        for (u64 number : {unsigned(a.id), value.x, value.y, value.z}) attributes.push_back(number);
    }
    return emulated::launch(attributes.empty() ? "cudaLaunchKernel" : __func__, __builtin_return_address(0), kernel,
                            config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                            attributes);
}

static Reply about(const char* name, const void* site, const void* kernel, std::vector<u64> numbers) {
    return Channel::open().request(name, site, numbers, kernels().count(kernel) ? kernels()[kernel] : "");
}
#define ABOUT(kernel, ...) about(__func__, __builtin_return_address(0), kernel, {__VA_ARGS__})
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return ABOUT(kernel, u64(attribute), u64(value)).error;
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) { return ABOUT(kernel).error; }
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) { return ABOUT(kernel).error; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    Reply reply = ABOUT(kernel);
    if (reply) {
        *attributes = {};
        attributes->sharedSizeBytes = reply[0];
        attributes->numRegs = int(reply[1]);
        attributes->maxThreadsPerBlock = int(reply[4]);
        attributes->maxDynamicSharedSizeBytes = int(reply[2]);
        attributes->ptxVersion = int(reply[5]);
        attributes->binaryVersion = int(reply[3]);
    }
    return reply.error;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block, size_t shared) {
    return emulated::put(ABOUT(kernel, u64(block), shared), blocks);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block,
                                                                   size_t shared, unsigned) {
    return emulated::put(about("cudaOccupancyMaxActiveBlocksPerMultiprocessor", __builtin_return_address(0), kernel,
                               {u64(block), shared}),
                         blocks);
}

// ---- what the compiler calls before main
// What it takes for the machine code of a file's kernels is the name of the file's unit.
void** __cudaRegisterFatBinary(void* code) { return (void**)((const Code*)code)->unit; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
int __cudaRegisterFunction(void** unit, const char* kernel, char*, const char* name, int, void*, void*, void*, void*,
                           int*) {
    kernels()[kernel] = std::string((const char*)unit) + " " + name;
    return 0;
}
void __cudaRegisterVar(void** unit, char* variable, char*, const char* name, int, size_t bytes, int constant, int) {
    Channel::open().request("register symbol", nullptr, {(u64)variable, bytes, u64(constant)},
                            (const char*)unit + std::string(" ") + name);
}
}
