// prints: 0 0 1 1 1 1 2 2 / 0 0 1 1 1 1 2 2 / 0 0 0 1 1 1 1 2 / 64 0
// The weights of a linear filter, in 256ths, at steps of a quarter of that: within a texture, behind its end where it
// wraps, and before its beginning where it is mirrored; and half a texel outside of a border, in two dimensions.
#include <cstdio>

__global__ void filter(cudaTextureObject_t plain, cudaTextureObject_t wrapped, cudaTextureObject_t mirrored,
                       cudaTextureObject_t border, float* out)
{
    int i = threadIdx.x;
    out[i] = tex2D<float>(plain, 1.5f + i / 1024.0f, 0.5f) - 256;
    out[8 + i] = tex2D<float>(wrapped, 1.125f + i / 4096.0f, 0.125f);
    out[16 + i] = tex2D<float>(mirrored, -0.125f - i / 4096.0f, 0.125f);
    if (i == 0) out[24] = tex2D<float>(border, 0.375f, 0.0f) / 2, out[25] = tex2D<float>(border, 0.375f, -0.25f);
}

static cudaTextureObject_t texture(cudaArray_t array, bool normalized, cudaTextureAddressMode mode)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = normalized;
    how.addressMode[0] = how.addressMode[1] = mode;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &how, nullptr);
    return object;
}

int main()
{
    float numbers[16], h[26], *out;
    for (int i = 0; i < 16; i++) numbers[i] = 256 * (i % 4);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 4, 4);
    cudaMemcpy2DToArray(array, 0, 0, numbers, 4 * sizeof(float), 4 * sizeof(float), 4, cudaMemcpyHostToDevice);
    cudaTextureObject_t objects[] = {texture(array, false, cudaAddressModeClamp), texture(array, true, cudaAddressModeWrap),
                                     texture(array, true, cudaAddressModeMirror), texture(array, true, cudaAddressModeBorder)};
    cudaMalloc(&out, sizeof h);
    filter<<<1, 8>>>(objects[0], objects[1], objects[2], objects[3], out);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)) return 1;
    for (int i = 0; i < 26; i++) printf("%s%g", i == 0 ? "" : i % 8 ? " " : " / ", h[i]);
    printf("\n");
    for (cudaTextureObject_t object : objects) cudaDestroyTextureObject(object);
    cudaFree(out), cudaFreeArray(array);
    return 0;
}
