// cuBLAS: matrices and vectors, by columns. cuda/programs/libraries/cublas.py computes.
#pragma once
#include "emu_library.h"
#include "library_types.h"
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CUBLAS_API_H_
#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 9
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VERSION 120901

typedef struct cublasContext* cublasHandle_t;
// The statuses, and what cublasGetStatusString says; some of them say their names.
#define EMU_STATUSES(STATUS)                                                                 \
    STATUS(SUCCESS, 0, "success")                                                            \
    STATUS(NOT_INITIALIZED, 1, "the library was not initialized")                            \
    STATUS(ALLOC_FAILED, 3, "the resource allocation failed")                                \
    STATUS(INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
    STATUS(ARCH_MISMATCH, 8, "CUBLAS_STATUS_ARCH_MISMATCH")                                  \
    STATUS(MAPPING_ERROR, 11, "CUBLAS_STATUS_MAPPING_ERROR")                                 \
    STATUS(EXECUTION_FAILED, 13, "the function failed to launch on the GPU")                 \
    STATUS(INTERNAL_ERROR, 14, "CUBLAS_STATUS_INTERNAL_ERROR")                               \
    STATUS(NOT_SUPPORTED, 15, "the requested functionality is not supported")                \
    STATUS(LICENSE_ERROR, 16, "CUBLAS_STATUS_LICENSE_ERROR")
#define EMU_VALUE(name, number, words) CUBLAS_STATUS_##name = number,
typedef enum { EMU_STATUSES(EMU_VALUE) } cublasStatus_t;
#undef EMU_VALUE
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
// How products are made changes nothing here: they are as exact as their type.
typedef enum {
    CUBLAS_DEFAULT_MATH,
    CUBLAS_TENSOR_OP_MATH,
    CUBLAS_PEDANTIC_MATH,
    CUBLAS_TF32_TENSOR_OP_MATH,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
#define EMU_ALGORITHM(n) CUBLAS_GEMM_ALGO##n = n
    EMU_ALGORITHM(0),
    EMU_ALGORITHM(1),
    EMU_ALGORITHM(2),
    EMU_ALGORITHM(3),
    EMU_ALGORITHM(4),
    EMU_ALGORITHM(5),
    EMU_ALGORITHM(6),
    EMU_ALGORITHM(7),
    EMU_ALGORITHM(8),
    EMU_ALGORITHM(9),
    EMU_ALGORITHM(10),
    EMU_ALGORITHM(11),
    EMU_ALGORITHM(12),
    EMU_ALGORITHM(13),
    EMU_ALGORITHM(14),
    EMU_ALGORITHM(15),
    EMU_ALGORITHM(16),
    EMU_ALGORITHM(17),
    EMU_ALGORITHM(18),
    EMU_ALGORITHM(19),
    EMU_ALGORITHM(20),
    EMU_ALGORITHM(21),
    EMU_ALGORITHM(22),
    EMU_ALGORITHM(23),
#undef EMU_ALGORITHM
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

#define EMU_TEXT(name, number, words) \
    if (status == number) return "CUBLAS_STATUS_" #name;
static inline const char* cublasGetStatusName(cublasStatus_t status) {
    EMU_STATUSES(EMU_TEXT)
    return "unknown status";
}
#undef EMU_TEXT
#define EMU_TEXT(name, number, words) \
    if (status == number) return words;
static inline const char* cublasGetStatusString(cublasStatus_t status) {
    EMU_STATUSES(EMU_TEXT)
    return "unknown status";
}
#undef EMU_TEXT
#undef EMU_STATUSES

#define EMU_CUBLAS(name, parameters, ...) EMU_FORWARD(cublas, cublasStatus_t, name, parameters, __VA_ARGS__)
// ---- handles
EMU_CUBLAS(cublasCreate, (cublasHandle_t * handle), handle)
EMU_CUBLAS(cublasDestroy, (cublasHandle_t handle), handle)
EMU_CUBLAS(cublasGetVersion, (cublasHandle_t handle, int* version), handle, version)
EMU_CUBLAS(cublasSetStream, (cublasHandle_t handle, cudaStream_t stream), handle, stream)
EMU_CUBLAS(cublasGetStream, (cublasHandle_t handle, cudaStream_t* stream), handle, stream)
EMU_CUBLAS(cublasSetWorkspace, (cublasHandle_t handle, void* space, size_t bytes), handle, space, bytes)
EMU_CUBLAS(cublasSetPointerMode, (cublasHandle_t handle, cublasPointerMode_t mode), handle, mode)
EMU_CUBLAS(cublasGetPointerMode, (cublasHandle_t handle, cublasPointerMode_t* mode), handle, mode)
EMU_CUBLAS(cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode), handle, mode)
EMU_CUBLAS(cublasGetMathMode, (cublasHandle_t handle, cublasMath_t* mode), handle, mode)
EMU_CUBLAS(cublasSetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t mode), handle, mode)
static inline size_t cublasGetCudartVersion() { return CUDART_VERSION; }
static inline cublasStatus_t cublasGetProperty(libraryPropertyType which, int* value) {
    const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    return *value = parts[which], CUBLAS_STATUS_SUCCESS;
}

// ---- copies, each of which is one of rows of one element, or of columns
#define EMU_COPIES(NAME, PARAMETERS, FROM_PITCH, TO_PITCH, WIDTH, HEIGHT, KIND)                                        \
    EMU_SENT cublasStatus_t NAME PARAMETERS) {                                                                         \
        return emuCopy(#NAME, b, TO_PITCH, a, FROM_PITCH, WIDTH, HEIGHT, KIND, false, 0) ? CUBLAS_STATUS_MAPPING_ERROR \
                                                                                         : CUBLAS_STATUS_SUCCESS;      \
    }                                                                                                                  \
    EMU_SENT cublasStatus_t NAME##Async PARAMETERS, cudaStream_t stream) {                                             \
        return emuCopy(#NAME "Async", b, TO_PITCH, a, FROM_PITCH, WIDTH, HEIGHT, KIND, true, stream)                   \
                   ? CUBLAS_STATUS_MAPPING_ERROR                                                                       \
                   : CUBLAS_STATUS_SUCCESS;                                                                            \
    }
#define EMU_VECTORS (int n, int size, const void* a, int inca, void* b, int incb
#define EMU_MATRICES (int rows, int columns, int size, const void* a, int lda, void* b, int ldb
#define EMU_DENSE (inca == 1 && incb == 1)  // then it is one row
#define EMU_VECTOR(NAME, KIND)                                                                              \
    EMU_COPIES(NAME, EMU_VECTORS, size_t(EMU_DENSE ? n : inca) * size, size_t(EMU_DENSE ? n : incb) * size, \
               size_t(EMU_DENSE ? n : 1) * size, EMU_DENSE ? 1 : n, KIND)
#define EMU_MATRIX(NAME, KIND) \
    EMU_COPIES(NAME, EMU_MATRICES, size_t(lda) * size, size_t(ldb) * size, size_t(rows) * size, columns, KIND)
EMU_VECTOR(cublasSetVector, cudaMemcpyHostToDevice)
EMU_VECTOR(cublasGetVector, cudaMemcpyDeviceToHost)
EMU_MATRIX(cublasSetMatrix, cudaMemcpyHostToDevice)
EMU_MATRIX(cublasGetMatrix, cudaMemcpyDeviceToHost)
#undef EMU_COPIES
#undef EMU_VECTORS
#undef EMU_MATRICES
#undef EMU_DENSE
#undef EMU_VECTOR
#undef EMU_MATRIX

// ---- for each type of elements; X is its letter, T the type
#define EMU_HANDLE cublasHandle_t handle
#define EMU_VECTORS_1(X, T)                                                                                           \
    EMU_CUBLAS(cublas##X##axpy, (EMU_HANDLE, int n, const T* alpha, const T* x, int incx, T* y, int incy), handle, n, \
               alpha, x, incx, y, incy)                                                                               \
    EMU_CUBLAS(cublas##X##copy, (EMU_HANDLE, int n, const T* x, int incx, T* y, int incy), handle, n, x, incx, y,     \
               incy)                                                                                                  \
    EMU_CUBLAS(cublas##X##swap, (EMU_HANDLE, int n, T* x, int incx, T* y, int incy), handle, n, x, incx, y, incy)     \
    EMU_CUBLAS(cublas##X##scal, (EMU_HANDLE, int n, const T* alpha, T* x, int incx), handle, n, alpha, x, incx)
#define EMU_MATRICES_2(X, T)                                                                                          \
    EMU_CUBLAS(cublas##X##gemv,                                                                                       \
               (EMU_HANDLE, cublasOperation_t trans, int m, int n, const T* alpha, const T* A, int lda, const T* x,   \
                int incx, const T* beta, T* y, int incy),                                                             \
               handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy)                                            \
    EMU_CUBLAS(cublas##X##symv,                                                                                       \
               (EMU_HANDLE, cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda, const T* x, int incx,  \
                const T* beta, T* y, int incy),                                                                       \
               handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy)                                                \
    EMU_CUBLAS(cublas##X##trsv,                                                                                       \
               (EMU_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const T* A, \
                int lda, T* x, int incx),                                                                             \
               handle, uplo, trans, diag, n, A, lda, x, incx)
#define EMU_MATRICES_3(X, T)                                                                                          \
    EMU_CUBLAS(cublas##X##symm,                                                                                       \
               (EMU_HANDLE, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const T* alpha, const T* A,   \
                int lda, const T* B, int ldb, const T* beta, T* C, int ldc),                                          \
               handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc)                                         \
    EMU_CUBLAS(cublas##X##syrk,                                                                                       \
               (EMU_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A, \
                int lda, const T* beta, T* C, int ldc),                                                               \
               handle, uplo, trans, n, k, alpha, A, lda, beta, C, ldc)                                                \
    EMU_CUBLAS(cublas##X##trsm,                                                                                       \
               (EMU_HANDLE, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                    \
                cublasDiagType_t diag, int m, int n, const T* alpha, const T* A, int lda, T* B, int ldb),             \
               handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb)                                          \
    EMU_CUBLAS(cublas##X##geam,                                                                                       \
               (EMU_HANDLE, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T* alpha,         \
                const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc),                              \
               handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc)                                     \
    EMU_CUBLAS(                                                                                                       \
        cublas##X##dgmm,                                                                                              \
        (EMU_HANDLE, cublasSideMode_t mode, int m, int n, const T* A, int lda, const T* x, int incx, T* C, int ldc),  \
        handle, mode, m, n, A, lda, x, incx, C, ldc)
#define EMU_PRODUCT cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
#define EMU_PRODUCTS(X, T)                                                                                            \
    EMU_CUBLAS(cublas##X##gemm,                                                                                       \
               (EMU_HANDLE, EMU_PRODUCT, const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta,     \
                T* C, int ldc),                                                                                       \
               handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc)                                  \
    EMU_CUBLAS(cublas##X##gemmBatched,                                                                                \
               (EMU_HANDLE, EMU_PRODUCT, const T* alpha, const T* const A[], int lda, const T* const B[], int ldb,    \
                const T* beta, T* const C[], int ldc, int batchCount),                                                \
               handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batchCount)                      \
    EMU_CUBLAS(cublas##X##gemmStridedBatched,                                                                         \
               (EMU_HANDLE, EMU_PRODUCT, const T* alpha, const T* A, int lda, long long strideA, const T* B, int ldb, \
                long long strideB, const T* beta, T* C, int ldc, long long strideC, int batchCount),                  \
               handle, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, strideC,       \
               batchCount)
#define EMU_FACTORS(X, T)                                                                                             \
    EMU_CUBLAS(cublas##X##getrfBatched,                                                                               \
               (EMU_HANDLE, int n, T* const A[], int lda, int* pivots, int* info, int batchSize), handle, n, A, lda,  \
               pivots, info, batchSize)                                                                               \
    EMU_CUBLAS(cublas##X##getriBatched,                                                                               \
               (EMU_HANDLE, int n, const T* const A[], int lda, const int* pivots, T* const C[], int ldc, int* info,  \
                int batchSize),                                                                                       \
               handle, n, A, lda, pivots, C, ldc, info, batchSize)                                                    \
    EMU_CUBLAS(cublas##X##getrsBatched,                                                                               \
               (EMU_HANDLE, cublasOperation_t trans, int n, int nrhs, const T* const A[], int lda, const int* pivots, \
                T* const B[], int ldb, int* info, int batchSize),                                                     \
               handle, trans, n, nrhs, A, lda, pivots, B, ldb, info, batchSize)
#define EMU_ALL(X, T) EMU_VECTORS_1(X, T) EMU_MATRICES_2(X, T) EMU_MATRICES_3(X, T) EMU_PRODUCTS(X, T) EMU_FACTORS(X, T)
EMU_ALL(S, float)
EMU_ALL(D, double)
EMU_ALL(C, cuComplex)
EMU_ALL(Z, cuDoubleComplex)
EMU_PRODUCTS(H, __half)

// ---- those whose names say more than one type
#define EMU_DOT(name, T)                                                                                             \
    EMU_CUBLAS(name, (EMU_HANDLE, int n, const T* x, int incx, const T* y, int incy, T* result), handle, n, x, incx, \
               y, incy, result)
EMU_DOT(cublasSdot, float)
EMU_DOT(cublasDdot, double)
EMU_DOT(cublasCdotu, cuComplex)
EMU_DOT(cublasCdotc, cuComplex)
EMU_DOT(cublasZdotu, cuDoubleComplex)
EMU_DOT(cublasZdotc, cuDoubleComplex)
#define EMU_NORM(name, T, R) \
    EMU_CUBLAS(name, (EMU_HANDLE, int n, const T* x, int incx, R* result), handle, n, x, incx, result)
EMU_NORM(cublasSnrm2, float, float)
EMU_NORM(cublasDnrm2, double, double)
EMU_NORM(cublasScnrm2, cuComplex, float)
EMU_NORM(cublasDznrm2, cuDoubleComplex, double)
EMU_NORM(cublasSasum, float, float)
EMU_NORM(cublasDasum, double, double)
EMU_NORM(cublasScasum, cuComplex, float)
EMU_NORM(cublasDzasum, cuDoubleComplex, double)
EMU_NORM(cublasIsamax, float, int)
EMU_NORM(cublasIdamax, double, int)
EMU_NORM(cublasIcamax, cuComplex, int)
EMU_NORM(cublasIzamax, cuDoubleComplex, int)
EMU_NORM(cublasIsamin, float, int)
EMU_NORM(cublasIdamin, double, int)
EMU_NORM(cublasIcamin, cuComplex, int)
EMU_NORM(cublasIzamin, cuDoubleComplex, int)
#define EMU_SCAL(name, T, R) \
    EMU_CUBLAS(name, (EMU_HANDLE, int n, const R* alpha, T* x, int incx), handle, n, alpha, x, incx)
EMU_SCAL(cublasCsscal, cuComplex, float)
EMU_SCAL(cublasZdscal, cuDoubleComplex, double)
#define EMU_ROT(name, T)                                                                                              \
    EMU_CUBLAS(name, (EMU_HANDLE, int n, T* x, int incx, T* y, int incy, const T* c, const T* s), handle, n, x, incx, \
               y, incy, c, s)
EMU_ROT(cublasSrot, float)
EMU_ROT(cublasDrot, double)
#define EMU_GER(name, T)                                                                                              \
    EMU_CUBLAS(name,                                                                                                  \
               (EMU_HANDLE, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* A, int lda), \
               handle, m, n, alpha, x, incx, y, incy, A, lda)
EMU_GER(cublasSger, float)
EMU_GER(cublasDger, double)
EMU_GER(cublasCgeru, cuComplex)
EMU_GER(cublasCgerc, cuComplex)
EMU_GER(cublasZgeru, cuDoubleComplex)
EMU_GER(cublasZgerc, cuDoubleComplex)

// ---- products of several types
EMU_CUBLAS(cublasSgemmEx,
           (EMU_HANDLE, EMU_PRODUCT, const float* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
            cudaDataType Btype, int ldb, const float* beta, void* C, cudaDataType Ctype, int ldc),
           handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc)
EMU_CUBLAS(cublasGemmEx,
           (EMU_HANDLE, EMU_PRODUCT, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
            cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,
            cublasComputeType_t computeType, cublasGemmAlgo_t algo),
           handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, computeType)
EMU_CUBLAS(cublasGemmBatchedEx,
           (EMU_HANDLE, EMU_PRODUCT, const void* alpha, const void* const A[], cudaDataType Atype, int lda,
            const void* const B[], cudaDataType Btype, int ldb, const void* beta, void* const C[], cudaDataType Ctype,
            int ldc, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo),
           handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, batchCount,
           computeType)
EMU_CUBLAS(cublasGemmStridedBatchedEx,
           (EMU_HANDLE, EMU_PRODUCT, const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA,
            const void* B, cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C,
            cudaDataType Ctype, int ldc, long long strideC, int batchCount, cublasComputeType_t computeType,
            cublasGemmAlgo_t algo),
           handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb, strideB, beta, C, Ctype, ldc,
           strideC, batchCount, computeType)
// The type of what is computed was once that of elements.
static inline cublasComputeType_t emu_compute_type(cudaDataType type) {
    return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
                                                      : CUBLAS_COMPUTE_32F;
}
EMU_SENT cublasStatus_t cublasGemmEx(EMU_HANDLE, EMU_PRODUCT, const void* alpha, const void* A, cudaDataType Atype,
                                     int lda, const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                                     cudaDataType Ctype, int ldc, cudaDataType type, cublasGemmAlgo_t algo) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                        emu_compute_type(type), algo);
}
EMU_SENT cublasStatus_t cublasGemmStridedBatchedEx(EMU_HANDLE, EMU_PRODUCT, const void* alpha, const void* A,
                                                   cudaDataType Atype, int lda, long long strideA, const void* B,
                                                   cudaDataType Btype, int ldb, long long strideB, const void* beta,
                                                   void* C, cudaDataType Ctype, int ldc, long long strideC,
                                                   int batchCount, cudaDataType type, cublasGemmAlgo_t algo) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                      strideB, beta, C, Ctype, ldc, strideC, batchCount, emu_compute_type(type), algo);
}
#undef EMU_HANDLE
#undef EMU_VECTORS_1
#undef EMU_MATRICES_2
#undef EMU_MATRICES_3
#undef EMU_PRODUCTS
#undef EMU_PRODUCT
#undef EMU_FACTORS
#undef EMU_ALL
#undef EMU_DOT
#undef EMU_NORM
#undef EMU_SCAL
#undef EMU_ROT
#undef EMU_GER
#undef EMU_CUBLAS

// As NVIDIA's header calls these.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
