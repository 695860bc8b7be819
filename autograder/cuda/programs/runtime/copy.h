// Copies, once the other process has said that they may be.
#pragma once
#include "channel.h"
#include "cuda_arrays.h"
#include "host_heap.h"

namespace emulated {
// Whether the host's block at `pointer`, if one is known, goes on for as many bytes; the other process tells of it.
inline cudaError_t fits(const char* name, const void* site, const void* pointer, size_t bytes, bool writes) {
    size_t room = room_after(pointer);
    if (bytes <= room) return cudaSuccess;
    return Channel::open().request("host block ends", site, {room, bytes, writes}, name).error;
}

inline cudaError_t copied(const char* name, const void* site, const Reply& reply, void* to, size_t to_pitch,
                          const void* from, size_t from_pitch, size_t width, size_t height) {
    if (!reply || reply.is_node() || !width || !height) return reply.error;
    if (cudaError_t error = fits(name, site, to, (height - 1) * to_pitch + width, true)) return error;
    if (cudaError_t error = fits(name, site, from, (height - 1) * from_pitch + width, false)) return error;
    char *there = Channel::open().at(to), *here = Channel::open().at(from);
    for (size_t row = 0; row < height; row++) memmove(there + row * to_pitch, here + row * from_pitch, width);
    return cudaSuccess;
}

// Appends a copy as a node has it: both sides, each with the bytes from one row to the next, and the bytes and number of
// rows; nothing where its slices do not follow each other.
void rows_of(const cudaMemcpy3DParms* what, std::vector<u64>& numbers);
}  // namespace emulated
