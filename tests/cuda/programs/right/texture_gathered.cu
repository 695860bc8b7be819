// prints: 12 13 9 8 / 15 15 11 11 / 8 8 4 4 / 66 70 54 50 / 3 3 0 0
// tex2Dgather: the four elements around a place, from the lower left (y points downwards) to the right and around.
#include <cstdio>

__global__ void gather(cudaTextureObject_t image, cudaTextureObject_t pairs, cudaTextureObject_t walled, float4* out)
{
    out[0] = tex2Dgather<float4>(image, 1.0f, 3.0f);
    out[1] = tex2Dgather<float4>(image, 3.75f, 3.25f, 0);  // clamped along x
    out[2] = tex2Dgather<float4>(walled, 0.0f, 0.5f);      // mirrored along x
    int4 second = tex2Dgather<int4>(pairs, 2.9f, 2.9f, 1);
    out[3] = make_float4(second.x, second.y, second.z, second.w);
    out[4] = tex2Dgather<float4>(walled, 1.0f, 0.0625f);  // and nothing above the first row
}

static cudaArray_t arrays[3];
static int made = 0;

template <class T> cudaTextureObject_t texture(const T* elements, bool normalized, cudaTextureAddressMode x, cudaTextureAddressMode y)
{
    cudaArray_t& array = arrays[made++];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather);
    cudaMemcpy2DToArray(array, 0, 0, elements, 4 * sizeof(T), 4 * sizeof(T), 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = normalized;
    how.addressMode[0] = x, how.addressMode[1] = y;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &how, nullptr);
    return object;
}

int main()
{
    float numbers[16];
    int2 two[16];
    for (int i = 0; i < 16; i++) numbers[i] = i, two[i] = make_int2(i, 4 * i + 10);
    cudaTextureObject_t image = texture(numbers, false, cudaAddressModeClamp, cudaAddressModeClamp);
    cudaTextureObject_t pairs = texture(two, false, cudaAddressModeClamp, cudaAddressModeClamp);
    cudaTextureObject_t walled = texture(numbers, true, cudaAddressModeMirror, cudaAddressModeBorder);
    float4 *out, h[5];
    cudaMalloc(&out, sizeof h);
    gather<<<1, 1>>>(image, pairs, walled, out);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)) return 1;
    for (int i = 0; i < 5; i++) printf("%s%g %g %g %g", i ? " / " : "", h[i].x, h[i].y, h[i].z, h[i].w);
    printf("\n");
    cudaFree(out);
    for (cudaTextureObject_t object : {image, pairs, walled}) cudaDestroyTextureObject(object);
    for (cudaArray_t array : arrays) cudaFreeArray(array);
    return 0;
}
