// Texture and surface objects, see the CUDA C++ Programming Guide, "Texture and Surface Memory". An object is the address
// of its description, which cuda/core/texture.py or, for whole programs, cuda/programs/runtime/arrays.cpp writes: 16 ints, which say where
// the elements lie, row by row; no other address is an object. Each read is one of the line that calls, those of the description too.
#pragma once

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
#ifndef EMU_HOSTED
// What host code makes textures by, and kernels get as parameters.
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#endif

enum { EMU_KIND, EMU_CHANNELS, EMU_SIZES, EMU_LINEAR = 5, EMU_MODES, EMU_NORMALIZED = 9, EMU_AS_FLOAT, EMU_PITCH, EMU_AT };
enum { EMU_WRAP, EMU_CLAMP, EMU_MIRROR, EMU_BORDER };

template <class T> inline constexpr bool emu_is_vector = __is_class(T);
template <class T, bool = emu_is_vector<T>> struct EmuParts { using Number = T; static constexpr int count = 1; };
template <class T> struct EmuParts<T, true> {
    using Number = decltype(T::x);
    static constexpr int count = sizeof(T) / sizeof(Number);
};
template <class T> EMU_INLINE T emu_together(const typename EmuParts<T>::Number* parts) {
    if constexpr (!emu_is_vector<T>) return parts[0];
    else if constexpr (EmuParts<T>::count == 1) return {parts[0]};
    else if constexpr (EmuParts<T>::count == 2) return {parts[0], parts[1]};
    else return {parts[0], parts[1], parts[2], parts[3]};
}

extern "C" EMU_DEVICE void emu_check_object(unsigned long long object, const void* site);
EMU_CALL const int* emu_description(unsigned long long object) {
    emu_check_object(object, EMU_SITE);
    return (const int*)object;
}
// The elements begin at an offset from the description.
EMU_FN char* emu_elements(const int* object) { return (char*)object + *(const long*)(object + EMU_AT); }
// Bytes of a number.
EMU_FN long emu_width(const int* object) { return object[EMU_KIND] < 2 ? 1 : object[EMU_KIND] < 4 ? 2 : 4; }
// Number `c` of the element that lies `at` bytes after the first; as a float from 0 (or -1) to 1 where the texture is read so.
template <class E> EMU_INLINE E emu_texel(const int* object, long at, int c) {
    const void* data = emu_elements(object) + at;
    bool scale = object[EMU_AS_FLOAT] != 0;
    switch (object[EMU_KIND]) {
    case 0: return scale ? E(((const signed char*)data)[c] / 127.0f) : E(((const signed char*)data)[c]);
    case 1: return scale ? E(((const unsigned char*)data)[c] / 255.0f) : E(((const unsigned char*)data)[c]);
    case 2: return scale ? E(((const short*)data)[c] / 32767.0f) : E(((const short*)data)[c]);
    case 3: return scale ? E(((const unsigned short*)data)[c] / 65535.0f) : E(((const unsigned short*)data)[c]);
    case 4: return E(((const int*)data)[c]);
    case 5: return E(((const unsigned*)data)[c]);
    default: return E(((const float*)data)[c]);
    }
}
// Where element `i` of `n` is looked up; -1: nowhere.
EMU_FN long emu_address(int mode, long i, long n) {
    if (i >= 0 && i < n) return i;
    if (mode == EMU_BORDER) return -1;
    if (mode == EMU_WRAP) return (i % n + n) % n;
    if (mode == EMU_MIRROR) {
        long round = (i % (2 * n) + 2 * n) % (2 * n);
        return round < n ? round : 2 * n - 1 - round;
    }
    return i < 0 ? 0 : n - 1;
}
// The same along one axis of a texture; what wraps needs normalized coordinates.
EMU_INLINE long emu_look_up(const int* object, int axis, long i) {
    int mode = object[EMU_MODES + axis];
    if (!object[EMU_NORMALIZED] && (mode == EMU_WRAP || mode == EMU_MIRROR)) mode = EMU_CLAMP;
    return emu_address(mode, i, object[EMU_SIZES + axis]);
}
// A weight has eight fractional bits.
EMU_FN float emu_weight(float x) { return floorf(x * 256.0f + 0.5f) / 256.0f; }

template <class T> EMU_INLINE T emu_sample(cudaTextureObject_t t, int axes, float x, float y, float z, int layer = 0) {
    using E = typename EmuParts<T>::Number;
    const int* object = emu_description(t);
    float at[3] = {x, y, z}, part[3];
    // Bytes from one element to the next along each axis.
    long base[3], steps[3] = {object[EMU_CHANNELS] * emu_width(object), object[EMU_PITCH], object[EMU_PITCH] * (long)object[EMU_SIZES + 1]};
    bool linear = object[EMU_LINEAR] != 0;
    for (int i = 0; i < axes; i++) {
        if (object[EMU_NORMALIZED]) at[i] *= float(object[EMU_SIZES + i]);
        if (linear) at[i] -= 0.5f;
        base[i] = long(floorf(at[i]));
        part[i] = linear ? emu_weight(at[i] - floorf(at[i])) : 0.0f;
    }
    E sum[4] = {E(0), E(0), E(0), E(0)};
    for (int corner = 0; corner < (linear ? 1 << axes : 1); corner++) {
        float weight = 1.0f;
        long element = layer * steps[2];
        bool inside = true;
        for (int i = 0; i < axes; i++) {
            int next = (corner >> i) & 1;
            long found = emu_look_up(object, i, base[i] + next);
            inside = inside && found >= 0;
            weight *= next ? part[i] : 1.0f - part[i];
            element += found * steps[i];
        }
        if (!inside || weight == 0.0f) continue;
        for (int c = 0; c < EmuParts<T>::count && c < object[EMU_CHANNELS]; c++) {
            E value = emu_texel<E>(object, element, c);
            sum[c] = linear ? E(sum[c] + weight * value) : value;
        }
    }
    return emu_together<T>(sum);
}

// One number of each of the four elements that a linear filter reads there: from the lower left, with y downwards, to the
// right and around.
template <class T> EMU_INLINE T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
    static_assert(EmuParts<T>::count == 4, "tex2Dgather returns a vector of four numbers");
    using E = typename EmuParts<T>::Number;
    const int* object = emu_description(t);
    const float at[2] = {x, y};
    const long steps[2] = {object[EMU_CHANNELS] * emu_width(object), object[EMU_PITCH]};
    E parts[4];
    for (int corner = 0; corner < 4; corner++) {
        const int next[2] = {corner == 1 || corner == 2, corner < 2};
        long element = 0;
        bool inside = component >= 0 && component < object[EMU_CHANNELS];
        for (int i = 0; i < 2; i++) {
            float place = object[EMU_NORMALIZED] ? at[i] * float(object[EMU_SIZES + i]) : at[i];
            long found = emu_look_up(object, i, long(floorf(emu_weight(place - 0.5f))) + next[i]);
            inside = inside && found >= 0;
            element += found * steps[i];
        }
        parts[corner] = inside ? emu_texel<E>(object, element, component) : E(0);
    }
    return emu_together<T>(parts);
}
template <class T> EMU_INLINE T tex1Dfetch(cudaTextureObject_t t, int i) {
    using E = typename EmuParts<T>::Number;
    const int* object = emu_description(t);
    E parts[4];
    for (int c = 0; c < EmuParts<T>::count; c++)
        parts[c] = emu_texel<E>(object, long(i) * EmuParts<T>::count * emu_width(object), c);
    return emu_together<T>(parts);
}
template <class T> EMU_INLINE T tex1D(cudaTextureObject_t t, float x) { return emu_sample<T>(t, 1, x, 0, 0); }
template <class T> EMU_INLINE T tex2D(cudaTextureObject_t t, float x, float y) { return emu_sample<T>(t, 2, x, y, 0); }
template <class T> EMU_INLINE T tex3D(cudaTextureObject_t t, float x, float y, float z) { return emu_sample<T>(t, 3, x, y, z); }
// Of a texture's levels there is one here.
template <class T> EMU_INLINE T tex2DLod(cudaTextureObject_t t, float x, float y, float) { return emu_sample<T>(t, 2, x, y, 0); }
template <class T> EMU_INLINE T tex1DLayered(cudaTextureObject_t t, float x, int layer) { return emu_sample<T>(t, 1, x, 0, 0, layer); }
template <class T> EMU_INLINE T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer) {
    return emu_sample<T>(t, 2, x, y, 0, layer);
}
// A direction meets one face of a cube, a layer for each, at a place that two of its coordinates tell.
template <class T> EMU_INLINE T texCubemapLayered(cudaTextureObject_t t, float x, float y, float z, int layer) {
    float a = fabsf(x), b = fabsf(y), c = fabsf(z), to_face, right, down;
    int face;
    if (a >= b && a >= c) face = x < 0, to_face = a, right = x < 0 ? z : -z, down = -y;
    else if (b >= c) face = 2 + (y < 0), to_face = b, right = x, down = y < 0 ? -z : z;
    else face = 4 + (z < 0), to_face = c, right = z < 0 ? -x : x, down = -y;
    return emu_sample<T>(t, 2, (right / to_face + 1) / 2, (down / to_face + 1) / 2, 0, 6 * layer + face);
}
template <class T> EMU_INLINE T texCubemap(cudaTextureObject_t t, float x, float y, float z) {
    return texCubemapLayered<T>(t, x, y, z, 0);
}
template <class T> EMU_INLINE void tex1Dfetch(T* out, cudaTextureObject_t t, int i) { *out = tex1Dfetch<T>(t, i); }
template <class T> EMU_INLINE void tex2D(T* out, cudaTextureObject_t t, float x, float y) { *out = tex2D<T>(t, x, y); }

// The address of an element, `x` in bytes. A GPU stops at what lies outside; here it is out of bounds.
template <class T> EMU_INLINE T* emu_surface(cudaSurfaceObject_t s, int x, int y, int z) {
    const int* object = emu_description(s);
    return (T*)(emu_elements(object) + x + object[EMU_PITCH] * (y + (long)object[EMU_SIZES + 1] * z));
}
#define EMU_SURFACE(name, parameters, ...)                                                                              \
    template <class T> EMU_INLINE T name##read(cudaSurfaceObject_t s, EMU_EACH parameters, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) { \
        return *emu_surface<T>(s, __VA_ARGS__);                                                                         \
    }                                                                                                                   \
    template <class T> EMU_INLINE void name##read(T* out, cudaSurfaceObject_t s, EMU_EACH parameters, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) { \
        *out = *emu_surface<T>(s, __VA_ARGS__);                                                                         \
    }                                                                                                                   \
    template <class T> EMU_INLINE void name##write(T v, cudaSurfaceObject_t s, EMU_EACH parameters, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) { \
        *emu_surface<T>(s, __VA_ARGS__) = v;                                                                            \
    }
#define EMU_EACH(...) __VA_ARGS__
EMU_SURFACE(surf1D, (int x), x, 0, 0)
EMU_SURFACE(surf2D, (int x, int y), x, y, 0)
EMU_SURFACE(surf3D, (int x, int y, int z), x, y, z)
EMU_SURFACE(surf2DLayered, (int x, int y, int z), x, y, z)
EMU_SURFACE(surfCubemap, (int x, int y, int z), x, y, z)
#undef EMU_SURFACE
#undef EMU_EACH
