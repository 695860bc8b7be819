// prints: 0 1 2 3 4 5, 3.5, refused 2
// A texture that is a cube: what a direction meets, and what no cube can be made of.
#include <cstdio>

__global__ void look(cudaTextureObject_t cube, cudaTextureObject_t cubes, float* out) {
    float x[] = {1, -1, 0, 0, 0, 0}, y[] = {0, 0, 1, -1, 0, 0}, z[] = {0, 0, 0, 0, 1, -1};
    int i = threadIdx.x;
    out[i] = texCubemap<float>(cube, x[i], y[i], z[i]);
    out[6 + i] = texCubemapLayered<float>(cubes, x[i], y[i], z[i], 1);
}

static cudaTextureObject_t texture(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    cudaTextureObject_t made = 0;
    cudaCreateTextureObject(&made, &resource, &how, nullptr);
    return made;
}

static cudaArray_t filled(int faces, unsigned flags) {
    float host[12 * 4];
    for (int i = 0; i < 12 * 4; i++) host[i] = i / 4;
    cudaArray_t array;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    if (cudaMalloc3DArray(&array, &one, make_cudaExtent(2, 2, faces), flags)) return nullptr;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 8, 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, faces);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return array;
}

int main() {
    cudaArray_t cube = filled(6, cudaArrayCubemap), cubes = filled(12, cudaArrayCubemap | cudaArrayLayered);
    if (!cube || !cubes) return 1;
    float *out, found[12], sum = 0;
    cudaMalloc(&out, sizeof found);
    cudaTextureObject_t one = texture(cube), two = texture(cubes);
    look<<<1, 6>>>(one, two, out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++) printf("%g%s", found[i], i < 5 ? " " : ", "), sum += found[6 + i];
    printf("%g, ", sum / 6 - 5);
    cudaArray_t none;
    cudaChannelFormatDesc kind = cudaCreateChannelDesc<float>();
    cudaError_t faces = cudaMalloc3DArray(&none, &kind, make_cudaExtent(2, 2, 12), cudaArrayCubemap);
    cudaError_t square = cudaMalloc3DArray(&none, &kind, make_cudaExtent(2, 3, 6), cudaArrayCubemap);
    cudaGetLastError();
    printf("refused %d\n", (faces == cudaErrorInvalidValue) + (square == cudaErrorInvalidValue));
    cudaDestroyTextureObject(one), cudaDestroyTextureObject(two);
    cudaFreeArray(cube), cudaFreeArray(cubes), cudaFree(out);
}
