// Mistakes in calls of libraries, one for each argument; test_libraries.py says what is found in which line.
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

const int N = 8;
float *a, *b, *c;  // N by N
cublasHandle_t handle;

int multiply(int lda, float* A, float* B, float* C, float beta = 0) {
    float alpha = 1;
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &alpha, A, lda, B, N, &beta, C, N);  // multiplies
}

int main(int argc, char** argv) {
    auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    float host[N * N] = {}, result = 0, alpha = 1;
    const size_t bytes = sizeof host;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    cudaDeviceSynchronize();
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    if (!is("no_handle")) cublasCreate(&handle);
    int status = 0;
    if (is("right")) status = multiply(N, a, b, c);
    if (is("no_handle")) status = multiply(N, a, b, c);
    if (is("small_lda")) status = multiply(N - 1, a, b, c);
    if (is("large_lda")) status = multiply(2 * N, a, b, c);
    if (is("host_pointer")) status = multiply(N, host, b, c);
    if (is("null")) status = multiply(N, a, nullptr, c);
    if (is("unwritten")) status = multiply(N, a, b, c, 1);
    if (is("freed")) cudaFree(b), status = multiply(N, a, b, c), cudaMalloc(&b, bytes);
    if (is("negative")) status = cublasSaxpy(handle, N, &alpha, a, 1, b, 10);  // negative
    if (is("scalar_on_gpu")) status = cublasSscal(handle, N, a, b, 1);         // scalar
    if (is("read_too_early")) {
        float* pinned;
        cudaMallocHost(&pinned, bytes);
        cublasSetStream(handle, stream);
        status = cublasScopy(handle, N, a, 1, pinned, 1);  // copies
        result = pinned[0];                                // reads
        cudaStreamSynchronize(stream);
        cudaFreeHost(pinned);
    }
    if (is("two_streams")) {
        cublasSetStream(handle, stream);
        multiply(N, a, b, c);
        cublasSetStream(handle, other);
        status = cublasSscal(handle, N, &alpha, c, 1);  // races
    }
    if (is("copied_too_early")) {
        cublasSetStream(handle, stream);
        multiply(N, a, b, c);
        cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost);  // takes
    }
    if (is("get_too_much")) status = cublasGetVector(N * N + 1, 4, a, 1, host, 1);  // gets
    if (is("destroyed_stream")) {
        cudaStream_t gone;
        cudaStreamCreate(&gone);
        cublasSetStream(handle, gone);
        cudaStreamDestroy(gone);
        status = cublasSscal(handle, N, &alpha, a, 1);  // gone
    }
    if (is("odd_normal") || is("random_on_host")) {
        curandGenerator_t generator;
        curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
        if (is("odd_normal")) status = curandGenerateNormal(generator, a, 7, 0, 1);    // odd
        if (is("random_on_host")) status = curandGenerateUniform(generator, host, N);  // random
        curandDestroyGenerator(generator);
    }
    if (is("other_plan") || is("small_output")) {
        cufftHandle plan;
        cufftPlan1d(&plan, N * N, CUFFT_R2C, 1);
        if (is("other_plan")) status = cufftExecC2C(plan, (cufftComplex*)a, (cufftComplex*)b, CUFFT_FORWARD);  // other
        if (is("small_output")) status = cufftExecR2C(plan, a, (cufftComplex*)b);                              // small
        cufftDestroy(plan);
    }
    cudaGetLastError();
    if (cudaDeviceSynchronize() && !status) status = -1;
    if (handle) cublasDestroy(handle);
    cudaFree(a), cudaFree(b), cudaFree(c);
    cudaStreamDestroy(stream), cudaStreamDestroy(other);
    printf("%d %g\n", status, result);
}
