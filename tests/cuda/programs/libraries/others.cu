// cuRAND, cuBLASLt, a call in a graph, NVTX and the headers of samples; test_libraries.py says what is printed.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <curand.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <sm_61_intrinsics.h>
#include <vector>

const int COUNT = 20000;

template <class T> void show(const char* name, T* gpu, int count) {
    std::vector<T> host(count);
    checkCudaErrors(cudaMemcpy(host.data(), gpu, count * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (T x : host) printf(" %.9g", double(x));
    printf("\n");
}

void draw() {
    float* x;
    unsigned* n;
    checkCudaErrors(cudaMalloc(&x, COUNT * sizeof(float)));
    checkCudaErrors(cudaMalloc(&n, COUNT * sizeof(unsigned)));
    curandGenerator_t generator;
    checkCudaErrors(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
    checkCudaErrors(curandSetPseudoRandomGeneratorSeed(generator, 1234ull));
    checkCudaErrors(curandGenerateUniform(generator, x, COUNT));
    show("uniform", x, COUNT);
    checkCudaErrors(curandGenerateUniform(generator, x, COUNT));
    show("next", x, 4);
    checkCudaErrors(curandSetGeneratorOffset(generator, COUNT + 1));
    checkCudaErrors(curandGenerateUniform(generator, x, 3));
    show("after_next", x, 3);
    checkCudaErrors(curandGenerateNormal(generator, x, COUNT, 3.0f, 0.5f));
    show("normal", x, COUNT);
    checkCudaErrors(curandGenerateLogNormal(generator, x, COUNT, 1.0f, 0.25f));
    show("log_normal", x, COUNT);
    checkCudaErrors(curandGeneratePoisson(generator, n, COUNT, 4.5));
    show("poisson", n, COUNT);
    checkCudaErrors(curandGenerate(generator, n, COUNT));
    show("integers", n, COUNT);
    checkCudaErrors(curandDestroyGenerator(generator));
    double host[6];
    checkCudaErrors(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937));
    checkCudaErrors(curandGenerateUniformDouble(generator, host, 6));
    printf("on_host");
    for (double one : host) printf(" %.9g", one);
    printf("\n");
    checkCudaErrors(curandDestroyGenerator(generator));
    cudaFree(x);
    cudaFree(n);
}

// D = gelu(A' B + bias), of 4 by 5 with 3 products each.
void fused() {
    float host[12 + 15 + 4];
    for (int i = 0; i < 31; i++) host[i] = float((i * 7) % 11 - 5) / 4;
    float *a, *d, *bias, alpha = 0.5f, beta = 0;
    checkCudaErrors(cudaMalloc(&a, sizeof host));
    checkCudaErrors(cudaMalloc(&d, 20 * sizeof(float)));
    checkCudaErrors(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    bias = a + 27;
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t of_a, of_b, of_d;
    checkCudaErrors(cublasLtCreate(&handle));
    checkCudaErrors(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasOperation_t transposed = CUBLAS_OP_T;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
    cublasLtMatrixLayoutCreate(&of_a, CUDA_R_32F, 3, 4, 3);
    cublasLtMatrixLayoutCreate(&of_b, CUDA_R_32F, 3, 5, 3);
    cublasLtMatrixLayoutCreate(&of_d, CUDA_R_32F, 4, 5, 4);
    checkCudaErrors(cublasLtMatmul(handle, product, &alpha, a, of_a, a + 12, of_b, &beta, d, of_d, d, of_d, nullptr,
                                   nullptr, 0, 0));
    show("gelu", d, 20);
    for (cublasLtMatrixLayout_t layout : {of_a, of_b, of_d}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(product);
    cublasLtDestroy(handle);
    cudaFree(a);
    cudaFree(d);
}

// Two launches of a graph that multiplies x by a number on the GPU, which changes; the handle is another one by then.
void captured_with_memory() {
    float host[] = {1, 2, 3, 4}, *x, *factor;
    checkCudaErrors(cudaMalloc(&x, sizeof host));
    checkCudaErrors(cudaMalloc(&factor, sizeof(float)));
    checkCudaErrors(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cublasHandle_t handle;
    checkCudaErrors(cudaStreamCreate(&stream));
    checkCudaErrors(cublasCreate(&handle));
    checkCudaErrors(cublasSetStream(handle, stream));
    checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    checkCudaErrors(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    checkCudaErrors(cublasSscal(handle, 4, factor, x, 1));
    checkCudaErrors(cudaStreamEndCapture(stream, &graph));
    checkCudaErrors(cudaGraphInstantiate(&made, graph, 0));
    checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    checkCudaErrors(cublasDestroy(handle));
    for (float number : {2.0f, 5.0f}) {
        checkCudaErrors(cudaMemcpy(factor, &number, sizeof number, cudaMemcpyHostToDevice));
        checkCudaErrors(cudaGraphLaunch(made, stream));
        checkCudaErrors(cudaStreamSynchronize(stream));
    }
    show("graph_on_gpu", x, 4);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x), cudaFree(factor);
}

// Three launches of a graph that adds 2 x to y.
void captured() {
    float host[] = {1, 2, 3, 4}, *x, *y, two = 2;
    checkCudaErrors(cudaMalloc(&x, sizeof host));
    checkCudaErrors(cudaMalloc(&y, sizeof host));
    checkCudaErrors(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cublasHandle_t handle;
    checkCudaErrors(cudaStreamCreate(&stream));
    checkCudaErrors(cublasCreate(&handle));
    checkCudaErrors(cublasSetStream(handle, stream));
    checkCudaErrors(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    checkCudaErrors(cublasSaxpy(handle, 4, &two, x, 1, y, 1));
    checkCudaErrors(cudaStreamEndCapture(stream, &graph));
    checkCudaErrors(cudaGraphInstantiate(&made, graph, 0));
    two = 100;
    for (int i = 0; i < 3; i++) checkCudaErrors(cudaGraphLaunch(made, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    show("graph", y, 4);
    cublasDestroy(handle);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
}

__global__ void turn(float4* x) {
    float3 a = make_float3(*x), b = make_float3(1.0f, 2.0f, 3.0f) - a;
    b *= 2.0f;
    *x = make_float4(cross(a, lerp(a, b, 0.25f)) + 1.0f, length(fmaxf(a, b)));
}
void vectors() {
    float4 host = make_float4(1) + make_float4(0, 1, -5, 3), *x;
    checkCudaErrors(cudaMalloc(&x, sizeof host));
    checkCudaErrors(cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice));
    turn<<<1, 1>>>(x);
    show("vectors", (float*)x, 4);
    cudaFree(x);
}

void samples(int argc, char** argv) {
    const char** words = (const char**)argv;
    char* name = nullptr;
    bool found = getCmdLineArgumentString(argc, words, "name", &name);
    printf("arguments %d %d %d %g %d\n", checkCmdLineFlag(argc, words, "flag"), checkCmdLineFlag(argc, words, "fla"),
           getCmdLineArgumentInt(argc, words, "n"), getCmdLineArgumentFloat(argc, words, "f"),
           found && std::string(name) == "a.txt");
    StopWatchInterface* timer = nullptr;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    sdkStopTimer(&timer);
    float reference[] = {1, 2, 3}, data[] = {1, 2, 3.001f};
    printf("samples %d %d %d %d %d\n", sdkGetTimerValue(&timer) >= 0 && sdkGetTimerValue(&timer) < 1000,
           sdkDeleteTimer(&timer) && !timer, compareData(reference, data, 3, 0.01f, 0.0f),
           compareData(reference, data, 3, 0.0001f, 0.0f), sdkCompareL2fe(reference, data, 3, 1e-3f));
    cudaSharedMemConfig config;
    getLastCudaError("nothing");
    printf("device %d %d %d\n", findCudaDevice(argc, argv), int(cudaDeviceGetSharedMemConfig(&config)), int(config));
}

int main(int argc, char** argv) {
    nvtxRangePushA("all");
    draw();
    fused();
    captured();
    captured_with_memory();
    vectors();
    samples(argc, argv);
    nvtxRangePop();
}
