// Descriptions of tensors for bulk copies (CUtensorMap). The emulator reads them: cuda/emulator/hooks/tensor_map.h.
#include <cuda.h>

#include "channel.h"

namespace {

struct TensorMap {  // as there
    uint64_t address, magic;
    uint64_t strides[4];
    uint64_t extents[5];
    uint16_t box[5];
    uint8_t rank, element_bytes;
    uint32_t swizzle, skipped;
    uint8_t is_float, rest[19];
};
static_assert(sizeof(TensorMap) == sizeof(CUtensorMap), "");
constexpr uint64_t MAGIC = 0x70616d5f75746d65;
constexpr int ELEMENT_BYTES[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}, SWIZZLES[] = {0, 32, 64, 128};

CUresult refuse(const char* what) {
    fprintf(stderr, "cuTensorMapEncodeTiled: %s is not supported by the emulator.\n", what);
    return CUDA_ERROR_NOT_SUPPORTED;
}

// What the driver refuses, as its documentation has it.
bool is_sound(const TensorMap& map, const cuuint64_t* strides) {
    if (map.address % 16 || !map.address) return false;
    for (unsigned k = 0; k < map.rank; k++) {
        if (!map.extents[k] || map.extents[k] > 1ull << 32 || !map.box[k] || map.box[k] > 256) return false;
        if (k + 1 < map.rank && (strides[k] % 16 || strides[k] >= 1ull << 40)) return false;
    }
    const unsigned row = map.box[0] * map.element_bytes;
    return row % 16 == 0 && (!map.swizzle || row <= map.swizzle);
}

}  // namespace

extern "C" {
CUresult cuTensorMapEncodeTiled(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
    if (!to || (uint64_t)to % 64 || rank < 1 || rank > 5) return CUDA_ERROR_INVALID_VALUE;
    if (unsigned(type) >= sizeof ELEMENT_BYTES / sizeof(int)) return refuse("this type of elements");
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return refuse("interleaving");
    if (unsigned(swizzle) >= sizeof SWIZZLES / sizeof(int)) return refuse("this swizzle");
    if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return refuse("filling with NaN");
    TensorMap map = {(uint64_t)address, MAGIC};
    map.rank = uint8_t(rank);
    map.element_bytes = uint8_t(ELEMENT_BYTES[type]);
    map.swizzle = uint32_t(SWIZZLES[swizzle]);
    map.is_float = type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    for (unsigned k = 0; k < rank; k++) {
        if (element_strides[k] != 1) return refuse("a stride of elements");
        map.extents[k] = extents[k];
        map.box[k] = box[k] > 256 ? 0 : uint16_t(box[k]);
        if (k + 1 < rank) map.strides[k] = strides[k];
    }
    if (!is_sound(map, strides)) return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, &map, sizeof map);
    return CUDA_SUCCESS;
}
}

// A program asks for a function of the driver by its name, so as not to be linked with it.
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
    struct {
        const char* name;
        void* function;
    } known[] = {{"cuTensorMapEncodeTiled", (void*)cuTensorMapEncodeTiled},
                 {"cuInit", (void*)cuInit},
                 {"cuGetErrorName", (void*)cuGetErrorName},
                 {"cuGetErrorString", (void*)cuGetErrorString}};
    *function = nullptr;
    for (const auto& entry : known)
        if (!strcmp(entry.name, symbol)) *function = entry.function;
    if (found) *found = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function ? cudaSuccess : cudaErrorSymbolNotFound;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
    return cudaGetDriverEntryPoint(symbol, function, flags, found);
}
