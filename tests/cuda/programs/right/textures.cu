// prints: 3.50 30 31.00 / 1 2 3 4 / 100 108 / 0.500 255
// What a program makes of arrays and memory: textures and surfaces, in all kinds of copies.
#include <cstdio>
#include <cstdlib>

__global__ void read(cudaTextureObject_t image, cudaTextureObject_t rows, cudaTextureObject_t list, float* out) {
    out[0] = tex2D<float>(image, 2.0f, 1.0f);  // between four elements
    out[1] = tex2D<unsigned char>(rows, 0, 3);
    out[2] = tex1Dfetch<float>(list, 31);
}
__global__ void layers(cudaTextureObject_t stack, int* out) {
    out[threadIdx.x] = tex2DLayered<int>(stack, 0.0f, 0.0f, threadIdx.x);
}
__global__ void twice(cudaSurfaceObject_t surface) {
    int x = surf2Dread<int>(surface, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(2 * x, surface, threadIdx.x * 4, threadIdx.y);
}
__global__ void scaled(cudaTextureObject_t bytes, float* out) {
    out[0] = tex2D<float4>(bytes, 0.5f, 0.5f).y;
    out[1] = tex2D<float4>(bytes, 0.5f, 0.5f).w * 255;
}

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureReadMode mode) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = filter, how.readMode = mode;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t made;
    if (cudaCreateTextureObject(&made, &resource, &how, nullptr)) exit(2);
    return made;
}

int main() {
    float h[32], *x, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&out, 16), cudaMalloc(&x, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);

    cudaArray_t image;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    cudaMallocArray(&image, &one, 4, 8);
    cudaMemcpyToArray(image, 0, 0, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaTextureObject_t smooth = texture(image, cudaFilterModeLinear, cudaReadModeElementType);

    unsigned char bytes[4][10] = {{}, {10}, {20}, {30}}, *rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 10, 4);
    cudaMemcpy2D(rows, pitch, bytes, 10, 10, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {rows, cudaCreateChannelDesc<unsigned char>(), 10, 4, pitch};
    cudaTextureDesc how = {};
    cudaTextureObject_t by_rows, list;
    cudaCreateTextureObject(&by_rows, &resource, &how, nullptr);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {x, one, sizeof(h)};
    cudaCreateTextureObject(&list, &resource, &how, nullptr);
    read<<<1, 1>>>(smooth, by_rows, list, out);
    cudaMemcpy(h, out, 12, cudaMemcpyDeviceToHost);
    printf("%.2f %.0f %.2f / ", h[0], h[1], h[2]);

    int numbers[4][2][3], *found;
    for (int i = 0; i < 24; i++) numbers[0][0][i] = i % 6 ? 0 : i / 6 + 1;
    cudaMallocManaged(&found, 16);
    cudaArray_t stack;
    cudaChannelFormatDesc whole = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    cudaMalloc3DArray(&stack, &whole, make_cudaExtent(3, 2, 4), cudaArrayLayered);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(numbers, 12, 3, 2);
    copy.dstArray = stack;
    copy.extent = make_cudaExtent(3, 2, 4);
    copy.kind = cudaMemcpyHostToDevice;
    if (cudaMemcpy3D(&copy)) return 2;
    cudaTextureObject_t layered = texture(stack, cudaFilterModePoint, cudaReadModeElementType);
    layers<<<1, 4>>>(layered, found);
    cudaDeviceSynchronize();
    printf("%d %d %d %d / ", found[0], found[1], found[2], found[3]);

    cudaArray_t table;
    cudaMallocArray(&table, &whole, 4, 2, cudaArraySurfaceLoadStore);
    int values[2][4] = {{50, 51, 52, 53}, {54, 55, 56, 57}};
    cudaMemcpy2DToArray(table, 0, 0, values, 16, 16, 2, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = table;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    twice<<<1, dim3(4, 2)>>>(surface);
    cudaMemcpy2DFromArray(values, 16, table, 0, 0, 16, 2, cudaMemcpyDeviceToHost);
    printf("%d %d / ", values[0][0], values[1][0]);

    cudaArray_t pixel;
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&pixel, &four, 1, 1);
    uchar4 color = {0, 128, 0, 255};
    cudaMemcpyToArray(pixel, 0, 0, &color, 4, cudaMemcpyHostToDevice);
    cudaTextureObject_t colors = texture(pixel, cudaFilterModeLinear, cudaReadModeNormalizedFloat);
    scaled<<<1, 1>>>(colors, out);
    cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost);
    printf("%.3f %.0f\n", h[0] - 0.002f, h[1]);

    for (auto object : {smooth, by_rows, list, layered, colors}) cudaDestroyTextureObject(object);
    cudaDestroySurfaceObject(surface);
    for (auto array : {image, stack, table, pixel})
        if (cudaFreeArray(array)) return 3;
    cudaFree(x), cudaFree(out), cudaFree(rows), cudaFree(found);
    return cudaGetLastError();
}
