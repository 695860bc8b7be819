// prints: 1 1 H200; 6 undeclared; 500 400; 37 7 3; 101 CUDA_ERROR_INVALID_DEVICE
// nvcc: -lcuda -lnvrtc
// The driver's interface, with kernels that NVRTC compiles: by a name, by an expression, with a header and a macro.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>

static const char* source = R"(
#include "more.h"
template <class T> __global__ void scale(T* x, T by, int n) { if (index() < n) x[index()] *= by; }
__constant__ float extra;
extern "C" __global__ void add(float* x, const float* y, int n)
{
    if (index() < n) x[index()] += y[index()] + extra * FACTOR;
}
)";
static const char* header = "__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }\n";

int main()
{
    int major, minor, count;
    char name[64];
    nvrtcVersion(&major, &minor);
    cuInit(0);
    cuDeviceGetCount(&count);
    CUdevice device;
    CUcontext context;
    cuDeviceGet(&device, 0);
    cuDeviceGetName(name, sizeof name, device);
    printf("%d %d %.4s; ", 10 * major + minor >= 120, count, strstr(name, "H200"));
#if CUDA_VERSION >= 13000
    cuCtxCreate(&context, nullptr, 0, device);
#else
    cuCtxCreate(&context, 0, device);
#endif

    nvrtcProgram program, broken;
    nvrtcCreateProgram(&broken, "__global__ void f() { undeclared = 1; }", nullptr, 0, nullptr, nullptr);
    int refused = nvrtcCompileProgram(broken, 0, nullptr);
    size_t size;
    nvrtcGetProgramLogSize(broken, &size);
    char* log = new char[size];
    nvrtcGetProgramLog(broken, log);
    printf("%d %s; ", refused, strstr(log, "undeclared") ? "undeclared" : log);
    nvrtcDestroyProgram(&broken);

    const char *headers[] = {header}, *names[] = {"more.h"}, *options[] = {"-arch=compute_90", "-DFACTOR=0.5f", "-std=c++14"};
    nvrtcCreateProgram(&program, source, "add.cu", 1, headers, names);
    nvrtcAddNameExpression(program, "scale<float>");
    nvrtcCompileProgram(program, 3, options);
    nvrtcGetPTXSize(program, &size);
    char* code = new char[size];
    nvrtcGetPTX(program, code);
    const char* lowered;
    nvrtcGetLoweredName(program, "scale<float>", &lowered);

    CUmodule module;
    CUfunction add, scale, none;
    cuModuleLoadDataEx(&module, code, 0, nullptr, nullptr);
    cuModuleGetFunction(&add, module, "add");
    cuModuleGetFunction(&scale, module, lowered);
    int unknown = cuModuleGetFunction(&none, module, "subtract");
    nvrtcDestroyProgram(&program);

    CUdeviceptr x, y, extra;
    CUstream stream;
    CUevent added;
    int n = 100;
    float values[100], one = 1, two = 2;
    unsigned word;
    cuMemAlloc(&x, sizeof values);
    cuMemAlloc(&y, sizeof values);
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuEventCreate(&added, CU_EVENT_DISABLE_TIMING);
    for (int i = 0; i < n; i++) values[i] = i;
    cuMemcpyHtoD(x, values, sizeof values);
    cuMemcpyHtoD(y, values, sizeof values);
    cuModuleGetGlobal(&extra, &size, module, "extra");
    cuMemcpyHtoD(extra, &one, size);
    cuCtxSynchronize();
    void *arguments[] = {&x, &y, &n}, *others[] = {&x, &two, &n};
    cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr);
    cuEventRecord(added, stream);
    cuStreamWaitEvent(0, added, 0);
    cuLaunchKernel(scale, 1, 1, 1, 128, 1, 1, 0, 0, others, nullptr);
    cuMemcpyDtoH(values, x, sizeof values);
    cuMemsetD32(y, 7, 100);
    cuMemcpyDtoH(&word, y + 12, sizeof word);
    CUcontext current;
    cuCtxGetCurrent(&current);
    cuModuleUnload(module);
    printf("%d %d; %g %u %d; ", unknown, cuModuleUnload(module), values[9], word, 2 + (current == context));
    const char* text;
    int failed = cuDeviceGet(&device, 5);
    cuGetErrorName(CUresult(failed), &text);
    printf("%d %s\n", failed, text);
    cudaGetLastError();
    cuMemFree(x);
    cuMemFree(y);
    cuStreamDestroy(stream);
    cuEventDestroy(added);
    cuCtxDestroy(context);
}
