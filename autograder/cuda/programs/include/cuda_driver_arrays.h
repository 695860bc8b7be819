// CUDA arrays and textures by the driver's API: as the runtime's are.
#pragma once
#include "cuda_arrays.h"

typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 1,
    CU_AD_FORMAT_UNSIGNED_INT16,
    CU_AD_FORMAT_UNSIGNED_INT32,
    CU_AD_FORMAT_SIGNED_INT8 = 8,
    CU_AD_FORMAT_SIGNED_INT16,
    CU_AD_FORMAT_SIGNED_INT32,
    CU_AD_FORMAT_FLOAT = 32
} CUarray_format;
typedef struct {
    size_t Width, Height;
    CUarray_format Format;
    unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
#define CUDA_ARRAY3D_LAYERED 1u
#define CUDA_ARRAY3D_SURFACE_LDST 2u
#define CUDA_ARRAY3D_CUBEMAP 4u
typedef enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_ARRAY, CU_MEMORYTYPE_UNIFIED } CUmemorytype;
typedef struct {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void* srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void* dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef enum { CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_LINEAR = 2, CU_RESOURCE_TYPE_PITCH2D } CUresourcetype;
typedef struct {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned flags;
} CUDA_RESOURCE_DESC;
typedef enum {
    CU_TR_ADDRESS_MODE_WRAP,
    CU_TR_ADDRESS_MODE_CLAMP,
    CU_TR_ADDRESS_MODE_MIRROR,
    CU_TR_ADDRESS_MODE_BORDER
} CUaddress_mode;
typedef enum { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR } CUfilter_mode;
#define CU_TRSF_READ_AS_INTEGER 1u
#define CU_TRSF_NORMALIZED_COORDINATES 2u
typedef struct {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC;  // none but a null pointer

static inline cudaChannelFormatDesc emu_channels(CUarray_format format, unsigned channels) {
    int kind = format & 8, bits = format == CU_AD_FORMAT_FLOAT ? 32 : 4 << (format - kind), all[4] = {};
    for (unsigned i = 0; i < channels && i < 4; i++) all[i] = bits;
    return cudaCreateChannelDesc(all[0], all[1], all[2], all[3],
                                 format == CU_AD_FORMAT_FLOAT ? cudaChannelFormatKindFloat
                                 : kind                       ? cudaChannelFormatKindSigned
                                                              : cudaChannelFormatKindUnsigned);
}
EMU_CU cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what) {
    cudaChannelFormatDesc channels = emu_channels(what->Format, what->NumChannels);
    return emu_result(cudaMallocArray(array, &channels, what->Width, what->Height));
}
EMU_CU cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what) {
    cudaChannelFormatDesc channels = emu_channels(what->Format, what->NumChannels);
    return emu_result(cudaMalloc3DArray(array, &channels, {what->Width, what->Height, what->Depth}, what->Flags));
}
EMU_DRIVER(cuArrayDestroy, (CUarray array), cudaFreeArray(array))
// A copy within the host's memory, or the GPU's, goes by where addresses are; one between two arrays is not there.
EMU_CU cuMemcpy2D(const CUDA_MEMCPY2D* what) {
    const CUDA_MEMCPY2D& c = *what;
    bool from_array = c.srcMemoryType == CU_MEMORYTYPE_ARRAY, to_array = c.dstMemoryType == CU_MEMORYTYPE_ARRAY;
    if (from_array && to_array) return CUDA_ERROR_NOT_SUPPORTED;
    bool from_host = c.srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c.dstMemoryType == CU_MEMORYTYPE_HOST;
    bool is_unified = c.srcMemoryType == CU_MEMORYTYPE_UNIFIED || c.dstMemoryType == CU_MEMORYTYPE_UNIFIED;
    cudaMemcpyKind kind = is_unified ? cudaMemcpyDefault : cudaMemcpyKind(2 * !from_host + !to_host);
    const char* from = from_host ? (const char*)c.srcHost : (const char*)c.srcDevice;
    char* to = to_host ? (char*)c.dstHost : (char*)c.dstDevice;
    from += c.srcY * c.srcPitch + c.srcXInBytes, to += c.dstY * c.dstPitch + c.dstXInBytes;
    if (to_array)
        return emu_result(
            cudaMemcpy2DToArray(c.dstArray, c.dstXInBytes, c.dstY, from, c.srcPitch, c.WidthInBytes, c.Height, kind));
    if (from_array)
        return emu_result(
            cudaMemcpy2DFromArray(to, c.dstPitch, c.srcArray, c.srcXInBytes, c.srcY, c.WidthInBytes, c.Height, kind));
    return emu_result(cudaMemcpy2D(to, c.dstPitch, from, c.srcPitch, c.WidthInBytes, c.Height, kind));
}
EMU_CU cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) { return cuMemcpy2D(what); }
EMU_CU emu_resource(cudaResourceDesc* to, const CUDA_RESOURCE_DESC* from) {
    *to = {cudaResourceType(from->resType)};
    if (from->resType == CU_RESOURCE_TYPE_ARRAY) to->res.array.array = from->res.array.hArray;
    else if (from->resType == CU_RESOURCE_TYPE_LINEAR)
        to->res.linear = {EMU_P(from->res.linear.devPtr),
                          emu_channels(from->res.linear.format, from->res.linear.numChannels),
                          from->res.linear.sizeInBytes};
    else
        to->res.pitch2D = {EMU_P(from->res.pitch2D.devPtr),
                           emu_channels(from->res.pitch2D.format, from->res.pitch2D.numChannels),
                           from->res.pitch2D.width, from->res.pitch2D.height, from->res.pitch2D.pitchInBytes};
    return CUDA_SUCCESS;
}
EMU_CU cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                         const CUDA_RESOURCE_VIEW_DESC* view) {
    if (view) return CUDA_ERROR_NOT_SUPPORTED;
    cudaResourceDesc what;
    emu_resource(&what, resource);
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; i++) how.addressMode[i] = cudaTextureAddressMode(texture->addressMode[i]);
    for (int i = 0; i < 4; i++) how.borderColor[i] = texture->borderColor[i];
    how.filterMode = cudaTextureFilterMode(texture->filterMode);
    how.readMode = texture->flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    how.normalizedCoords = texture->flags & CU_TRSF_NORMALIZED_COORDINATES ? 1 : 0;
    return emu_result(cudaCreateTextureObject(object, &what, &how, nullptr));
}
EMU_DRIVER(cuTexObjectDestroy, (CUtexObject object), cudaDestroyTextureObject(object))
EMU_CU cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
    cudaResourceDesc what;
    emu_resource(&what, resource);
    return emu_result(cudaCreateSurfaceObject(object, &what));
}
EMU_DRIVER(cuSurfObjectDestroy, (CUsurfObject object), cudaDestroySurfaceObject(object))
