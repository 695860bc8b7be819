// finds: OutOfBounds, line 33
// nvcc: -lcuda -lnvrtc
// says: line 4 x[i] += 1;
// says: x[100], but x has 100 elements
// A kernel that NVRTC has compiled is checked as others are, and its lines are those of its text.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>

int main()
{
    const char* source = "extern \"C\" __global__ void add(float* x)\n{\n    int i = threadIdx.x;\n    x[i] += 1;\n}\n";
    nvrtcProgram program;
    nvrtcCreateProgram(&program, source, "add.cu", 0, nullptr, nullptr);
    nvrtcCompileProgram(program, 0, nullptr);
    size_t size;
    nvrtcGetCUBINSize(program, &size);
    char* code = new char[size];
    nvrtcGetCUBIN(program, code);
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device), cuCtxSetCurrent(context);
    cuModuleLoadData(&module, code);
    cuModuleGetFunction(&add, module, "add");
    CUdeviceptr x;
    cuMemAlloc(&x, 400), cuMemsetD8(x, 0, 400);
    void* arguments[] = {&x};
    cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, 0, arguments, nullptr);
    printf("%d\n", cuCtxSynchronize());
    cuMemFree(x);
}
