// Loads a module: from a file, or as the content of one.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

int main(int argc, char** argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module, part;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    std::stringstream content;
    content << std::ifstream(argv[1], std::ios::binary).rdbuf();
    int loaded = argc > 2 ? cuModuleLoadData(&module, content.str().c_str()) : cuModuleLoad(&module, argv[1]);
    std::string half = content.str().substr(0, content.str().size() / 2);
    printf("%d", loaded);
    if (argc > 2) printf(" %d", cuModuleLoadData(&part, half.c_str()));
    if (loaded) return 0;

    CUfunction scale, sample;
    CUdeviceptr x, factor;
    size_t bytes;
    int n = argc > 2 ? atoi(argv[2]) : 7, grid, block;
    float given = 3, h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cuModuleGetFunction(&scale, module, "scale");
    cuModuleGetGlobal(&factor, &bytes, module, "factor");
    cuMemcpyHtoD(factor, &given, bytes);
    cuMemAlloc(&x, sizeof h);
    cuMemcpyHtoD(x, h, sizeof h);
    void* arguments[] = {&x, &n};
    cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0);
    int error = cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    int ended = cuMemcpyDtoH(h, x, sizeof h);
    printf(" %d %d %d %g %g;", block, error, ended, h[0], h[7]);
    if (ended) return 1;

    // Two rows of four bytes, of which the second one is sampled.
    unsigned char pixels[2][4] = {{0, 0, 0, 0}, {0, 51, 102, 255}};
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR what = {4, 2, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    cuArrayCreate(&array, &what);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = pixels, copy.srcPitch = 4;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
    copy.WidthInBytes = 4, copy.Height = 2;
    cuMemcpy2D(&copy);
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how = {};
    CUtexObject texture;
    cuTexObjectCreate(&texture, &resource, &how, nullptr);
    cuModuleGetFunction(&sample, module, "sample");
    void* of_sample[] = {&texture, &x};
    cuLaunchKernel(sample, 1, 1, 1, 4, 1, 1, 0, nullptr, of_sample, nullptr);
    cuMemcpyDtoH(h, x, 4 * sizeof(float));
    printf(" %g %g %g %g", h[0], h[1], h[2], h[3]);
    cuTexObjectDestroy(texture);
    cuArrayDestroy(array);
    cuMemFree(x);
    cuModuleUnload(module);
    cuCtxDestroy(context);
}
