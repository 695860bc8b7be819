// The arguments of a launch, for calls that launch a kernel or make a node of it.
#pragma once
#include "channel.h"

namespace emulated {
// Appends their bytes to `bytes`; the other process knows the kernel from now on.
cudaError_t arguments_of(const void* kernel, void** arguments, const void* site, cudaStream_t stream,
                         std::string& bytes);
// A kernel from now on: its unit and its symbol, with a blank between them.
void register_kernel(const void* kernel, const std::string& called);
// Launches it, by the name of a call, for the caller at `site`.
cudaError_t launch(const char* name, const void* site, const void* kernel, dim3 grid, dim3 block, void** arguments,
                   size_t shared, cudaStream_t stream, std::vector<u64> attributes = {});
}  // namespace emulated
