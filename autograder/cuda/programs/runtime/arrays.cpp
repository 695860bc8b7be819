// CUDA arrays, textures and surfaces. An array lies in the GPU's memory, row by row; only here is it known what its elements
// are.
#include "copy.h"

using emulated::Channel;
using emulated::Reply;
using emulated::u64;

struct cudaArray {
    cudaChannelFormatDesc desc;
    size_t width, height, depth;  // 1 for each axis that it does not have
    char* data;
};

namespace {
size_t channels(const cudaChannelFormatDesc& desc) { return desc.w ? 4 : desc.z ? 3 : desc.y ? 2 : 1; }
size_t element(const cudaChannelFormatDesc& desc) { return channels(desc) * size_t(desc.x) / 8; }
size_t pitch(const cudaArray* array) { return array->width * element(array->desc); }

cudaError_t allocate(const char* name, const void* site, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                     cudaExtent extent) {
    auto* made =
        new cudaArray{*desc, extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1, nullptr};
    Reply reply = emulated::request_by(name, site, pitch(made) * made->height * made->depth);
    if (!reply) return delete made, reply.error;
    made->data = (char*)reply[0];
    *array = made;  // never deleted: a program may free it twice
    return reply.error;
}

// The memory of a copy on one side: its first byte, and the bytes to the next row and to the next slice.
struct Side {
    char* first;
    size_t row, slice;
};
Side side(const cudaArray* array, size_t x_bytes, size_t y, size_t z = 0) {
    size_t row = pitch(array), slice = row * array->height;
    return {array->data + z * slice + y * row + x_bytes, row, slice};
}
Side side(const void* memory, size_t row, size_t height = 1) { return {(char*)memory, row, row * height}; }

// Of a copy with three axes. Where an array takes part, widths are in its elements, and a position on the other side in
// bytes.
size_t item(const cudaMemcpy3DParms* what) {
    const cudaArray* array = what->dstArray ? what->dstArray : what->srcArray;
    return array ? element(array->desc) : 1;
}
Side side(const cudaMemcpy3DParms* what, const cudaArray* array, const cudaPos& pos, const cudaPitchedPtr& memory) {
    if (array) return side(array, pos.x * item(what), pos.y, pos.z);
    size_t slice = memory.pitch * memory.ysize;
    return side((char*)memory.ptr + pos.z * slice + pos.y * memory.pitch + pos.x, memory.pitch, memory.ysize);
}
Side to(const cudaMemcpy3DParms* what) { return side(what, what->dstArray, what->dstPos, what->dstPtr); }
Side from(const cudaMemcpy3DParms* what) { return side(what, what->srcArray, what->srcPos, what->srcPtr); }
cudaExtent bytes(const cudaMemcpy3DParms* what) {
    return {what->extent.width * item(what), what->extent.height, what->extent.depth};
}

// All slices together: one may begin where the host's block has ended, and so in none that is known.
cudaError_t all_fit(const char* name, const void* site, Side to, Side from, cudaExtent bytes) {
    if (!bytes.width || !bytes.height || !bytes.depth) return cudaSuccess;
    auto reach = [&](Side side) {
        return (bytes.depth - 1) * side.slice + (bytes.height - 1) * side.row + bytes.width;
    };
    if (cudaError_t error = emulated::fits(name, site, to.first, reach(to), true)) return error;
    return emulated::fits(name, site, from.first, reach(from), false);
}

cudaError_t copy(const char* name, const void* site, Side to, Side from, cudaExtent bytes, cudaMemcpyKind kind) {
    if (cudaError_t error = all_fit(name, site, to, from, bytes)) return error;
    for (size_t z = 0; z < bytes.depth; z++) {
        char *out = to.first + z * to.slice, *in = from.first + z * from.slice;
        Reply reply = emulated::request_by(name, site, out, to.row, in, from.row, bytes.width, bytes.height, kind);
        cudaError_t error = emulated::copied(name, site, reply, out, to.row, in, from.row, bytes.width, bytes.height);
        if (error) return error;
    }
    return cudaSuccess;
}

// As cuda/core/texture.py has it.
struct Description {
    int kind, channels, sizes[3], linear, modes[3], normalized, as_float, pitch;
    long at;
    int unused[2];
};
static_assert(sizeof(Description) == 64, "16 ints");

Description description(const cudaChannelFormatDesc& desc, size_t width, size_t height, size_t depth, size_t pitch) {
    int size = desc.x == 8 ? 0 : desc.x == 16 ? 2 : 4, kind = size + (desc.f == cudaChannelFormatKindUnsigned);
    if (desc.f == cudaChannelFormatKindFloat) kind = 6;
    return {kind, int(channels(desc)), {int(width), int(height), int(depth)}, 0, {}, 0, 0, int(pitch), 0, {}};
}

// An object by its description, and where its elements lie.
cudaError_t create(const char* name, const void* site, unsigned long long* object, const cudaResourceDesc* resource,
                   Description extra) {
    Description out;
    void* data;
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray* array = resource->res.array.array;
        out = description(array->desc, array->width, array->height, array->depth, pitch(array));
        data = array->data;
    } else if (resource->resType == cudaResourceTypeLinear) {
        const auto& linear = resource->res.linear;
        out = description(linear.desc, linear.sizeInBytes / element(linear.desc), 1, 1, linear.sizeInBytes);
        data = linear.devPtr;
    } else if (resource->resType == cudaResourceTypePitch2D) {
        const auto& rows = resource->res.pitch2D;
        out = description(rows.desc, rows.width, rows.height, 1, rows.pitchInBytes);
        data = rows.devPtr;
    } else {
        return cudaErrorNotSupported;
    }
    Reply reply = emulated::request_by(name, site, sizeof out);
    if (!reply) return reply.error;
    out.linear = extra.linear, out.normalized = extra.normalized;
    out.as_float = extra.as_float && out.kind < 4;  // of 8 or 16 bits; wider ones stay what they are
    memcpy(out.modes, extra.modes, sizeof out.modes);
    out.at = (char*)data - (char*)reply[0];
    memcpy(Channel::open().at((void*)reply[0]), &out, sizeof out);
    *object = reply[0];
    return reply.error;
}
}  // namespace

void emulated::rows_of(const cudaMemcpy3DParms* what, std::vector<u64>& numbers) {
    Side out = to(what), in = from(what);
    cudaExtent size = bytes(what);
    auto is_whole = [&](Side side) { return size.depth == 1 || side.slice == side.row * size.height; };
    if (!is_whole(out) || !is_whole(in)) return;
    size_t rows = size.height * size.depth;
    numbers.insert(numbers.end(), {u64(out.first), out.row, u64(in.first), in.row, size.width, rows, u64(what->kind)});
}

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width, size_t height,
                            unsigned) {
    return allocate(HERE, array, desc, {width, height, 0});
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
    bool is_cube = extent.width == extent.height && extent.depth && extent.depth % 6 == 0;
    bool has_one = flags & cudaArrayLayered || extent.depth == 6;
    if (flags & cudaArrayCubemap && !(is_cube && has_one)) return cudaErrorInvalidValue;
    return allocate(HERE, array, desc, extent);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    Reply reply = REQUEST(extent.width, extent.height * extent.depth);
    if (reply) *pointer = {(void*)reply[0], reply[1], extent.width, extent.height};
    return reply.error;
}
cudaError_t cudaFreeArray(cudaArray_t array) { return REQUEST(array ? array->data : nullptr).error; }

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return copy(HERE, {side(to, x, y).first, bytes, 0}, side(from, bytes), {bytes, 1, 1}, kind);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    return copy(HERE, side(to, bytes), {side(from, x, y).first, bytes, 0}, {bytes, 1, 1}, kind);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
    return copy(HERE, side(to, x, y), side(from, pitch), {width, height, 1}, kind);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
    return copy(HERE, side(to, pitch), side(from, x, y), {width, height, 1}, kind);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
    return copy(HERE, to(what), from(what), bytes(what), what->kind);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    if (view || texture->sRGB || texture->seamlessCubemap) return cudaErrorNotSupported;
    Description extra = {};
    extra.linear = texture->filterMode == cudaFilterModeLinear;
    extra.normalized = texture->normalizedCoords != 0;
    extra.as_float = texture->readMode == cudaReadModeNormalizedFloat;
    for (int i = 0; i < 3; i++) extra.modes[i] = texture->addressMode[i];
    return create(HERE, object, resource, extra);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return REQUEST(object).error; }
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return create(HERE, object, resource, {});
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return REQUEST(object).error; }
}
