// Calls of cuBLAS, each of which prints its name and what it makes; test_libraries.py computes the same by numpy.
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

const int M = 5, N = 4, K = 3, LD = 7;
cublasHandle_t handle;

void require(cublasStatus_t status, const char* call) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        printf("%s: %s\n", call, cublasGetStatusString(status));
        exit(1);
    }
}
#define CHECK(call) require(call, #call)

// `count` numbers that depend on their place, on the GPU.
template <class T> T* numbers(int count, int first) {
    std::vector<T> host(count);
    for (int i = 0; i < count; i++) host[i] = T((i * 7 + first * 3) % 11 - 5);
    T* gpu;
    if (cudaMalloc(&gpu, count * sizeof(T))) exit(2);
    cudaMemcpy(gpu, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return gpu;
}
template <class T> void show(const char* name, T* gpu, int count) {
    std::vector<T> host(count);
    CHECK(cublasGetVector(count, sizeof(T), gpu, 1, host.data(), 1));
    printf("%s", name);
    for (T x : host) printf(" %.9g", double(x));
    printf("\n");
    cudaFree(gpu);
}

int main() {
    CHECK(cublasCreate(&handle));
    int version;
    CHECK(cublasGetVersion(handle, &version));
    CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    const float two = 2, half = 0.5f, zero = 0;
    const double two_d = 2, half_d = 0.5;
    float *x = numbers<float>(12, 1), *y = numbers<float>(12, 2), *a = numbers<float>(LD * LD, 3),
          *b = numbers<float>(LD * LD, 4);

    // ---- vectors
    float *out = numbers<float>(12, 5), result;
    int place;
    CHECK(cublasSaxpy(handle, 4, &two, x, 3, out, -2));
    show("axpy", out, 12);
    CHECK(cublasSdot(handle, 6, x, 2, y, -1, &result));
    printf("dot %.9g\n", result);
    CHECK(cublasSnrm2(handle, 12, x, 1, &result));
    printf("nrm2 %.9g\n", result);
    CHECK(cublasSasum(handle, 12, x, 1, &result));
    printf("asum %.9g\n", result);
    CHECK(cublasIsamax(handle, 12, x, 1, &place));
    printf("amax %d\n", place);
    out = numbers<float>(12, 5);
    CHECK(cublasSscal(handle, 4, &half, out, 3));
    show("scal", out, 12);
    float *one = numbers<float>(12, 6), *other = numbers<float>(12, 7);
    CHECK(cublasSswap(handle, 12, one, 1, other, 1));
    CHECK(cublasSrot(handle, 12, one, 1, other, 1, &half, &two));
    CHECK(cublasScopy(handle, 6, one, 2, other, 1));
    show("swap_rot_x", one, 12);
    show("swap_rot_copy_y", other, 12);

    // ---- a matrix and vectors
    out = numbers<float>(12, 5);
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, M, N, &two, a, LD, x, 1, &half, out, 1));
    show("gemv", out, 12);
    out = numbers<float>(12, 5);
    CHECK(cublasSgemv(handle, CUBLAS_OP_T, M, N, &two, a, LD, x, 2, &zero, out, 3));
    show("gemv_t", out, 12);
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSger(handle, M, N, &two, x, 1, y, 2, out, LD));
    show("ger", out, LD * LD);
    out = numbers<float>(12, 5);
    CHECK(cublasSsymv(handle, CUBLAS_FILL_MODE_UPPER, M, &two, a, LD, x, 1, &half, out, 1));
    show("symv", out, 12);
    double *triangle = numbers<double>(LD * LD, 6), *right = numbers<double>(LD * LD, 7);
    CHECK(cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, M, triangle, LD, right, 1));
    show("trsv", right, LD * LD);

    // ---- matrices
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &two, a, LD, b, LD, &half, out, LD));
    show("gemm", out, LD * LD);
    double *c = numbers<double>(LD * LD, 5), *d = numbers<double>(LD * LD, 6), *e = numbers<double>(LD * LD, 7);
    CHECK(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &two_d, c, LD, d, LD, &half_d, e, LD));
    show("dgemm", e, LD * LD);
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, M, N, &two, a, LD, b, LD, &half, out, LD));
    show("symm", out, LD * LD);
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, M, K, &two, a, LD, &half, out, LD));
    show("syrk", out, LD * LD);
    e = numbers<double>(LD * LD, 7);
    CHECK(cublasDtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, M, N, &two_d,
                      triangle, LD, e, LD));
    show("trsm", e, LD * LD);
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &two, a, LD, &half, b, LD, out, LD));
    show("geam", out, LD * LD);
    out = numbers<float>(LD * LD, 5);
    CHECK(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, M, N, a, LD, x, 2, out, LD));
    show("dgmm", out, LD * LD);

    // ---- many products, and of other types
    float *as = numbers<float>(60, 1), *bs = numbers<float>(60, 2), *cs = numbers<float>(60, 3);
    CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 4, &two, as, 3, 20, bs, 4, 10, &half, cs, 3,
                                    15, 3));
    show("strided", cs, 60);
    cs = numbers<float>(60, 3);
    float *lists[6] = {as, as + 12, bs, bs + 8, cs, cs + 30}, **on_gpu;
    cudaMalloc(&on_gpu, sizeof lists);
    cudaMemcpy(on_gpu, lists, sizeof lists, cudaMemcpyHostToDevice);
    CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 4, &two, on_gpu, 3, on_gpu + 2, 4, &half,
                             on_gpu + 4, 3, 2));
    show("batched", cs, 60);
    __half *ha = numbers<__half>(12, 1), *hb = numbers<__half>(8, 2);
    float* hc = numbers<float>(6, 3);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 4, &two, ha, CUDA_R_16F, 3, hb, CUDA_R_16F, 4, &half, hc,
                       CUDA_R_32F, 3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("gemm_ex", hc, 6);
    __half third = __half(1.0f / 3), none = __half(0.0f), *hd = numbers<__half>(6, 3);
    CHECK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 4, &third, ha, 3, hb, 4, &none, hd, 3));
    show("hgemm", hd, 6);
    __nv_bfloat16 *ba = numbers<__nv_bfloat16>(12, 1), *bc = numbers<__nv_bfloat16>(6, 3);
    const float sixth = 1.0f / 6;
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 3, 2, 4, &sixth, ba, CUDA_R_16BF, 3, ba, CUDA_R_16BF, 3, &zero,
                       bc, CUDA_R_16BF, 3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("bfloat16", bc, 6);

    // ---- two matrices are factorized, inverted, and solve systems
    double *lu = numbers<double>(30, 9), *inverse = numbers<double>(18, 2), *solved = numbers<double>(12, 3);
    double *lu_lists[6] = {lu, lu + 15, inverse, inverse + 9, solved, solved + 6}, **lu_on_gpu;
    int *pivots = numbers<int>(6, 0), *info = numbers<int>(2, 0), wrong;
    cudaMalloc(&lu_on_gpu, sizeof lu_lists);
    cudaMemcpy(lu_on_gpu, lu_lists, sizeof lu_lists, cudaMemcpyHostToDevice);
    CHECK(cublasDgetrfBatched(handle, 3, lu_on_gpu, 4, pivots, info, 2));
    CHECK(cublasDgetriBatched(handle, 3, lu_on_gpu, 4, pivots, lu_on_gpu + 2, 3, info, 2));
    show("inverse", inverse, 18);
    CHECK(cublasDgetrsBatched(handle, CUBLAS_OP_N, 3, 2, lu_on_gpu, 4, pivots, lu_on_gpu + 4, 3, &wrong, 1));
    CHECK(cublasDgetrsBatched(handle, CUBLAS_OP_T, 3, 2, lu_on_gpu + 1, 4, pivots + 3, lu_on_gpu + 5, 3, &wrong, 1));
    show("solved", solved, 12);
    show("info", info, 2);

    // ---- scalars and results on the GPU
    float scalars[] = {3, 0}, *scalar;
    cudaMalloc(&scalar, sizeof scalars);
    cudaMemcpy(scalar, scalars, sizeof scalars, cudaMemcpyHostToDevice);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSscal(handle, 12, scalar, y, 1));
    CHECK(cublasSdot(handle, 12, x, 1, y, 1, scalar + 1));
    show("device_mode", scalar, 2);

    CHECK(cublasDestroy(handle));
    for (void* memory :
         {(void*)x, (void*)y, (void*)a, (void*)b, (void*)triangle, (void*)c, (void*)d, (void*)as, (void*)bs,
          (void*)on_gpu, (void*)ha, (void*)hb, (void*)ba, (void*)lu, (void*)lu_on_gpu, (void*)pivots})
        cudaFree(memory);
}
