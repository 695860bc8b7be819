// What NVIDIA's samples check errors with, and choose a GPU by.
#pragma once
#include "helper_string.h"
#include <cuda_runtime.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
// Of a library, whose header need not be there, only the number is known.
template <class T> inline const char* _cudaGetErrorEnum(T) { return "error of a library"; }

template <class T> inline void check(T result, const char* call, const char* file, int line) {
    if (!result) return;
    fprintf(stderr, "%s:%d: %s fails: %d, %s\n", file, line, call, int(result), _cudaGetErrorEnum(result));
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

#define EMU_LAST_ERROR(message, ends)                                                           \
    do {                                                                                        \
        if (cudaError_t emu_error = cudaGetLastError()) {                                       \
            fprintf(stderr, "%s:%d: %s: %d, %s\n", __FILE__, __LINE__, message, int(emu_error), \
                    cudaGetErrorString(emu_error));                                             \
            if (ends) exit(EXIT_FAILURE);                                                       \
        }                                                                                       \
    } while (0)
#define getLastCudaError(message) EMU_LAST_ERROR(message, true)
#define printLastCudaError(message) EMU_LAST_ERROR(message, false)

inline int ftoi(float x) { return int(x >= 0 ? x + 0.5f : x - 0.5f); }

// How many numbers of 32 bits a multiprocessor adds at once.
inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (major) {
    case 3:
        return 192;
    case 6:
        return minor == 0 ? 64 : 128;
    case 7:
        return 64;
    case 8:
        return minor == 0 ? 64 : 128;
    default:
        return 128;
    }
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
    switch (major) {
    case 3:
        return "Kepler";
    case 5:
        return "Maxwell";
    case 6:
        return "Pascal";
    case 7:
        return minor < 5 ? "Volta" : "Turing";
    case 8:
        return minor == 9 ? "Ada" : "Ampere";
    case 9:
        return "Hopper";
    default:
        return "Blackwell";
    }
}

inline int gpuDeviceInit(int device) {
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (device < 0) device = 0;
    if (device >= count) {
        fprintf(stderr, "There is no GPU %d.\n", device);
        return -device;
    }
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findIntegratedGPU() { return -1; }  // none is
inline int findCudaDevice(int argc, const char** argv) {
    int device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (device < 0) exit(EXIT_FAILURE);
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(properties.major, properties.minor), properties.major, properties.minor);
    return device;
}
inline int findCudaDevice(int argc, char** argv) { return findCudaDevice(argc, const_cast<const char**>(argv)); }
inline bool checkCudaCapabilities(int major, int minor) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    return properties.major > major || (properties.major == major && properties.minor >= minor);
}
