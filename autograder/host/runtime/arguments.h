// The arguments of a launch, for calls that launch a kernel or make a node of it.
#pragma once
#include "channel.h"

namespace emulated {
// Appends their bytes to `bytes`; the other process knows the kernel from now on.
cudaError_t arguments_of(const void* kernel, void** arguments, const void* site, cudaStream_t stream,
                         std::string& bytes);
}  // namespace emulated
