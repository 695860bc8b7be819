// What the headers of libraries have in common: a function's arguments go to the process that runs the kernels
// (runtime/libraries.cpp), by the name of the library and its own.
#pragma once
#include <cuda_runtime.h>

#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)
extern "C" int emuLibrary(const char* names, const unsigned long* numbers, size_t count);
extern "C" unsigned long emuStream(cudaStream_t stream);
extern "C" int emuCopy(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                       size_t height, cudaMemcpyKind kind, bool in_stream, cudaStream_t stream);
#pragma clang attribute pop

#define EMU_SENT static inline __attribute__((always_inline, nodebug, unused))
EMU_SENT unsigned long emu_number(double x) { return __builtin_bit_cast(unsigned long, x); }
EMU_SENT unsigned long emu_number(cudaStream_t stream) { return emuStream(stream); }
EMU_SENT unsigned long emu_number(float x) { return emu_number(double(x)); }
template <class T> EMU_SENT unsigned long emu_number(T x) { return (unsigned long)(long)x; }

template <class... T> EMU_SENT int emu_library(const char* names, T... arguments) {
    const unsigned long numbers[] = {emu_number(arguments)..., 0};
    return emuLibrary(names, numbers, sizeof...(T));
}
// Declares a function of a library: what it returns, its name, its parameters in brackets, and their names.
#define EMU_FORWARD(library, type, name, parameters, ...) \
    EMU_SENT type name parameters { return type(emu_library(#library " " #name __VA_OPT__(, ) __VA_ARGS__)); }
