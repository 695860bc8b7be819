// cuSPARSE, as CUDA 12 has it. cuda/programs/libraries/cusparse.py computes.
#pragma once
#include "emu_library.h"
#include "library_types.h"
#include <cuComplex.h>

#define CUSPARSE_H_
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VER_PATCH 10
#define CUSPARSE_VERSION 12510

typedef enum {
    CUSPARSE_STATUS_SUCCESS,
    CUSPARSE_STATUS_NOT_INITIALIZED,
    CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE,
    CUSPARSE_STATUS_ARCH_MISMATCH,
    CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED,
    CUSPARSE_STATUS_INTERNAL_ERROR,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
    CUSPARSE_STATUS_ZERO_PIVOT,
    CUSPARSE_STATUS_NOT_SUPPORTED,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC,
    CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO } cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
// Which algorithm is chosen changes nothing here.
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr* cusparseSpSMDescr_t;
typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr* cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;

#define EMU_CUSPARSE(name, parameters, ...) \
    EMU_FORWARD(cusparse, cusparseStatus_t, cusparse##name, parameters, __VA_ARGS__)
// A function and its form for what is constant, which is another type only for the compiler.
#define EMU_CONST(name, constant, parameters, constants, ...)                                       \
    EMU_CUSPARSE(name, parameters, __VA_ARGS__)                                                     \
    EMU_SENT cusparseStatus_t cusparse##constant constants {                                        \
        return cusparseStatus_t(emu_library("cusparse cusparse" #name __VA_OPT__(, ) __VA_ARGS__)); \
    }

EMU_CUSPARSE(Create, (cusparseHandle_t * handle), handle)
EMU_CUSPARSE(Destroy, (cusparseHandle_t handle), handle)
EMU_CUSPARSE(GetVersion, (cusparseHandle_t handle, int* version), handle, version)
EMU_CUSPARSE(SetStream, (cusparseHandle_t handle, cudaStream_t stream), handle, stream)
EMU_CUSPARSE(GetStream, (cusparseHandle_t handle, cudaStream_t* stream), handle, stream)
EMU_CUSPARSE(SetPointerMode, (cusparseHandle_t handle, cusparsePointerMode_t mode), handle, mode)
EMU_CUSPARSE(GetPointerMode, (cusparseHandle_t handle, cusparsePointerMode_t* mode), handle, mode)

static inline const char* cusparseGetErrorName(cusparseStatus_t status) {
    static const char* const names[] = {"CUSPARSE_STATUS_SUCCESS",
                                        "CUSPARSE_STATUS_NOT_INITIALIZED",
                                        "CUSPARSE_STATUS_ALLOC_FAILED",
                                        "CUSPARSE_STATUS_INVALID_VALUE",
                                        "CUSPARSE_STATUS_ARCH_MISMATCH",
                                        "CUSPARSE_STATUS_MAPPING_ERROR",
                                        "CUSPARSE_STATUS_EXECUTION_FAILED",
                                        "CUSPARSE_STATUS_INTERNAL_ERROR",
                                        "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                        "CUSPARSE_STATUS_ZERO_PIVOT",
                                        "CUSPARSE_STATUS_NOT_SUPPORTED",
                                        "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
    return unsigned(status) < 12 ? names[status] : "unrecognized error code";
}
static inline const char* cusparseGetErrorString(cusparseStatus_t status) {
    static const char* const texts[] = {"success",
                                        "initialization error",
                                        "out of memory",
                                        "invalid value",
                                        "architecture mismatch",
                                        "memory mapping error",
                                        "kernel launch failure",
                                        "internal error",
                                        "matrix type not supported",
                                        "zero pivot",
                                        "operation not supported",
                                        "insufficient resources"};
    return unsigned(status) < 12 ? texts[status] : "unrecognized error code";
}
static inline cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
    const int numbers[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    return *value = numbers[type], CUSPARSE_STATUS_SUCCESS;
}

// Vectors.
EMU_CONST(CreateDnVec, CreateConstDnVec, (cusparseDnVecDescr_t * vector, int64_t size, void* values, cudaDataType type),
          (cusparseConstDnVecDescr_t * vector, int64_t size, const void* values, cudaDataType type), vector, size,
          values, type)
EMU_CUSPARSE(DestroyDnVec, (cusparseConstDnVecDescr_t vector), vector)
EMU_CONST(DnVecGet, ConstDnVecGet, (cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type),
          (cusparseConstDnVecDescr_t vector, int64_t* size, const void** values, cudaDataType* type), vector, size,
          values, type)
EMU_CONST(DnVecGetValues, ConstDnVecGetValues, (cusparseDnVecDescr_t vector, void** values),
          (cusparseConstDnVecDescr_t vector, const void** values), vector, values)
EMU_CUSPARSE(DnVecSetValues, (cusparseDnVecDescr_t vector, void* values), vector, values)
EMU_CONST(CreateSpVec, CreateConstSpVec,
          (cusparseSpVecDescr_t * vector, int64_t size, int64_t nnz, void* indices, void* values,
           cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type),
          (cusparseConstSpVecDescr_t * vector, int64_t size, int64_t nnz, const void* indices, const void* values,
           cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type),
          vector, size, nnz, indices, values, of_index, base, type)
EMU_CUSPARSE(DestroySpVec, (cusparseConstSpVecDescr_t vector), vector)
EMU_CUSPARSE(SpVecGetIndexBase, (cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base), vector, base)
EMU_CONST(SpVecGetValues, ConstSpVecGetValues, (cusparseSpVecDescr_t vector, void** values),
          (cusparseConstSpVecDescr_t vector, const void** values), vector, values)
EMU_CUSPARSE(SpVecSetValues, (cusparseSpVecDescr_t vector, void* values), vector, values)

// Dense matrices.
EMU_CONST(CreateDnMat, CreateConstDnMat,
          (cusparseDnMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t ld, void* values, cudaDataType type,
           cusparseOrder_t order),
          (cusparseConstDnMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t ld, const void* values,
           cudaDataType type, cusparseOrder_t order),
          matrix, rows, cols, ld, values, type, order)
EMU_CUSPARSE(DestroyDnMat, (cusparseConstDnMatDescr_t matrix), matrix)
EMU_CONST(DnMatGet, ConstDnMatGet,
          (cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld, void** values, cudaDataType* type,
           cusparseOrder_t* order),
          (cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld, const void** values,
           cudaDataType* type, cusparseOrder_t* order),
          matrix, rows, cols, ld, values, type, order)
EMU_CONST(DnMatGetValues, ConstDnMatGetValues, (cusparseDnMatDescr_t matrix, void** values),
          (cusparseConstDnMatDescr_t matrix, const void** values), matrix, values)
EMU_CUSPARSE(DnMatSetValues, (cusparseDnMatDescr_t matrix, void* values), matrix, values)
EMU_CUSPARSE(DnMatSetStridedBatch, (cusparseDnMatDescr_t matrix, int count, int64_t stride), matrix, count, stride)

// Sparse matrices.
#define EMU_LISTS(Const) Const void *first, Const void *second, Const void *values
#define EMU_COMPRESSED(Kind)                                                                                        \
    EMU_CONST(                                                                                                      \
        Create##Kind, CreateConst##Kind,                                                                            \
        (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, EMU_LISTS(),                       \
         cusparseIndexType_t of_offset, cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type), \
        (cusparseConstSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, EMU_LISTS(const),             \
         cusparseIndexType_t of_offset, cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type), \
        matrix, rows, cols, nnz, first, second, values, of_offset, of_index, base, type)                            \
    EMU_CUSPARSE(Kind##SetPointers, (cusparseSpMatDescr_t matrix, EMU_LISTS()), matrix, first, second, values)
EMU_COMPRESSED(Csr)
EMU_COMPRESSED(Csc)
EMU_CONST(CreateCoo, CreateConstCoo,
          (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, EMU_LISTS(),
           cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type),
          (cusparseConstSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, EMU_LISTS(const),
           cusparseIndexType_t of_index, cusparseIndexBase_t base, cudaDataType type),
          matrix, rows, cols, nnz, first, second, values, of_index, base, type)
EMU_CUSPARSE(CooSetPointers, (cusparseSpMatDescr_t matrix, EMU_LISTS()), matrix, first, second, values)
#undef EMU_COMPRESSED
#undef EMU_LISTS
EMU_CUSPARSE(DestroySpMat, (cusparseConstSpMatDescr_t matrix), matrix)
EMU_CUSPARSE(SpMatGetFormat, (cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format), matrix, format)
EMU_CUSPARSE(SpMatGetIndexBase, (cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base), matrix, base)
EMU_CUSPARSE(SpMatGetSize, (cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz), matrix, rows,
             cols, nnz)
EMU_CONST(SpMatGetValues, ConstSpMatGetValues, (cusparseSpMatDescr_t matrix, void** values),
          (cusparseConstSpMatDescr_t matrix, const void** values), matrix, values)
EMU_CUSPARSE(SpMatSetValues, (cusparseSpMatDescr_t matrix, void* values), matrix, values)
EMU_CUSPARSE(SpMatSetAttribute,
             (cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, const void* data, size_t bytes), matrix,
             attribute, data, bytes)
EMU_CUSPARSE(CsrSetStridedBatch, (cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t others), matrix,
             count, offsets, others)
EMU_CUSPARSE(CooSetStridedBatch, (cusparseSpMatDescr_t matrix, int count, int64_t stride), matrix, count, stride)

// Functions of vectors.
EMU_CUSPARSE(Axpby,
             (cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x, const void* beta,
              cusparseDnVecDescr_t y),
             handle, alpha, x, beta, y)
EMU_CUSPARSE(Gather, (cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x), handle, y, x)
EMU_CUSPARSE(Scatter, (cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y), handle, x, y)
EMU_CUSPARSE(Rot,
             (cusparseHandle_t handle, const void* c, const void* s, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y),
             handle, c, s, x, y)
#define EMU_VECTORS                                                                                            \
    cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, \
        void *result, cudaDataType type
EMU_CUSPARSE(SpVV_bufferSize, (EMU_VECTORS, size_t* bytes), handle, op, x, y, result, type, bytes)
EMU_CUSPARSE(SpVV, (EMU_VECTORS, void* buffer), handle, op, x, y, result, type, buffer)
#undef EMU_VECTORS

// Products.
#define EMU_SPMV                                                                                     \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, \
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,    \
        cusparseSpMVAlg_t algorithm
#define EMU_SENT_SPMV handle, op, alpha, a, x, beta, y, type, algorithm
EMU_CUSPARSE(SpMV_bufferSize, (EMU_SPMV, size_t* bytes), EMU_SENT_SPMV, bytes)
EMU_CUSPARSE(SpMV_preprocess, (EMU_SPMV, void* buffer), EMU_SENT_SPMV, buffer)
EMU_CUSPARSE(SpMV, (EMU_SPMV, void* buffer), EMU_SENT_SPMV, buffer)
#undef EMU_SPMV
#undef EMU_SENT_SPMV
#define EMU_PRODUCT(A, B, C, Algorithm)                                                                       \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, A a, B b, \
        const void *beta, C c, cudaDataType type, Algorithm algorithm
#define EMU_SENT_PRODUCT handle, op_a, op_b, alpha, a, b, beta, c, type, algorithm
#define EMU_SPMM \
    EMU_PRODUCT(cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cusparseSpMMAlg_t)
EMU_CUSPARSE(SpMM_bufferSize, (EMU_SPMM, size_t* bytes), EMU_SENT_PRODUCT, bytes)
EMU_CUSPARSE(SpMM_preprocess, (EMU_SPMM, void* buffer), EMU_SENT_PRODUCT, buffer)
EMU_CUSPARSE(SpMM, (EMU_SPMM, void* buffer), EMU_SENT_PRODUCT, buffer)
#undef EMU_SPMM
#define EMU_SDDMM \
    EMU_PRODUCT(cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t, cusparseSDDMMAlg_t)
EMU_CUSPARSE(SDDMM_bufferSize, (EMU_SDDMM, size_t* bytes), EMU_SENT_PRODUCT, bytes)
EMU_CUSPARSE(SDDMM_preprocess, (EMU_SDDMM, void* buffer), EMU_SENT_PRODUCT, buffer)
EMU_CUSPARSE(SDDMM, (EMU_SDDMM, void* buffer), EMU_SENT_PRODUCT, buffer)
#undef EMU_SDDMM
#define EMU_SPGEMM                                                                                                \
    EMU_PRODUCT(cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, cusparseSpMatDescr_t, cusparseSpGEMMAlg_t), \
        cusparseSpGEMMDescr_t descr
EMU_CUSPARSE(SpGEMM_createDescr, (cusparseSpGEMMDescr_t * descr), descr)
EMU_CUSPARSE(SpGEMM_destroyDescr, (cusparseSpGEMMDescr_t descr), descr)
EMU_CUSPARSE(SpGEMM_workEstimation, (EMU_SPGEMM, size_t* bytes, void* buffer), EMU_SENT_PRODUCT, descr, bytes, buffer)
EMU_CUSPARSE(SpGEMM_compute, (EMU_SPGEMM, size_t* bytes, void* buffer), EMU_SENT_PRODUCT, descr, bytes, buffer)
EMU_CUSPARSE(SpGEMM_copy, (EMU_SPGEMM), EMU_SENT_PRODUCT, descr)
#undef EMU_SPGEMM
#undef EMU_PRODUCT
#undef EMU_SENT_PRODUCT

// Triangular systems.
#define EMU_SPSV                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,         \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t algorithm, \
        cusparseSpSVDescr_t descr
#define EMU_SENT_SPSV handle, op, alpha, a, x, y, type, algorithm, descr
EMU_CUSPARSE(SpSV_createDescr, (cusparseSpSVDescr_t * descr), descr)
EMU_CUSPARSE(SpSV_destroyDescr, (cusparseSpSVDescr_t descr), descr)
EMU_CUSPARSE(SpSV_bufferSize, (EMU_SPSV, size_t* bytes), EMU_SENT_SPSV, bytes)
EMU_CUSPARSE(SpSV_analysis, (EMU_SPSV, void* buffer), EMU_SENT_SPSV, buffer)
EMU_CUSPARSE(SpSV_solve, (EMU_SPSV), EMU_SENT_SPSV)
#undef EMU_SPSV
#undef EMU_SENT_SPSV
#define EMU_SPSM                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,          \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type, \
        cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descr
#define EMU_SENT_SPSM handle, op_a, op_b, alpha, a, b, c, type, algorithm, descr
EMU_CUSPARSE(SpSM_createDescr, (cusparseSpSMDescr_t * descr), descr)
EMU_CUSPARSE(SpSM_destroyDescr, (cusparseSpSMDescr_t descr), descr)
EMU_CUSPARSE(SpSM_bufferSize, (EMU_SPSM, size_t* bytes), EMU_SENT_SPSM, bytes)
EMU_CUSPARSE(SpSM_analysis, (EMU_SPSM, void* buffer), EMU_SENT_SPSM, buffer)
EMU_CUSPARSE(SpSM_solve, (EMU_SPSM), EMU_SENT_SPSM)
#undef EMU_SPSM
#undef EMU_SENT_SPSM

// Conversions.
#define EMU_CONVERSION(From, To, Algorithm) cusparseHandle_t handle, From a, To b, Algorithm algorithm
#define EMU_TO_DENSE EMU_CONVERSION(cusparseConstSpMatDescr_t, cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t)
EMU_CUSPARSE(SparseToDense_bufferSize, (EMU_TO_DENSE, size_t* bytes), handle, a, b, algorithm, bytes)
EMU_CUSPARSE(SparseToDense, (EMU_TO_DENSE, void* buffer), handle, a, b, algorithm, buffer)
#undef EMU_TO_DENSE
#define EMU_TO_SPARSE EMU_CONVERSION(cusparseConstDnMatDescr_t, cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t)
EMU_CUSPARSE(DenseToSparse_bufferSize, (EMU_TO_SPARSE, size_t* bytes), handle, a, b, algorithm, bytes)
EMU_CUSPARSE(DenseToSparse_analysis, (EMU_TO_SPARSE, void* buffer), handle, a, b, algorithm, buffer)
EMU_CUSPARSE(DenseToSparse_convert, (EMU_TO_SPARSE, void* buffer), handle, a, b, algorithm, buffer)
#undef EMU_TO_SPARSE
#undef EMU_CONVERSION
EMU_CUSPARSE(Xcoo2csr,
             (cusparseHandle_t handle, const int* rows, int nnz, int m, int* offsets, cusparseIndexBase_t base), handle,
             rows, nnz, m, offsets, base)
EMU_CUSPARSE(Xcsr2coo,
             (cusparseHandle_t handle, const int* offsets, int nnz, int m, int* rows, cusparseIndexBase_t base), handle,
             offsets, nnz, m, rows, base)
#define EMU_TO_CSC                                                                                              \
    cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *offsets, const int *columns, \
        void *csc_values, int *csc_offsets, int *csc_rows, cudaDataType type, cusparseAction_t action,          \
        cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm
#define EMU_SENT_TO_CSC \
    handle, m, n, nnz, values, offsets, columns, csc_values, csc_offsets, csc_rows, type, action, base, algorithm
EMU_CUSPARSE(Csr2cscEx2_bufferSize, (EMU_TO_CSC, size_t* bytes), EMU_SENT_TO_CSC, bytes)
EMU_CUSPARSE(Csr2cscEx2, (EMU_TO_CSC, void* buffer), EMU_SENT_TO_CSC, buffer)
#undef EMU_TO_CSC
#undef EMU_SENT_TO_CSC

// Descriptions of matrices, and incomplete factorizations.
EMU_CUSPARSE(CreateMatDescr, (cusparseMatDescr_t * descr), descr)
EMU_CUSPARSE(DestroyMatDescr, (cusparseMatDescr_t descr), descr)
#define EMU_KIND(What, Type)                                                         \
    EMU_CUSPARSE(SetMat##What, (cusparseMatDescr_t descr, Type value), descr, value) \
    EMU_FORWARD(cusparse, Type, cusparseGetMat##What, (const cusparseMatDescr_t descr), descr)
EMU_KIND(Type, cusparseMatrixType_t)
EMU_KIND(FillMode, cusparseFillMode_t)
EMU_KIND(DiagType, cusparseDiagType_t)
EMU_KIND(IndexBase, cusparseIndexBase_t)
#undef EMU_KIND
#define EMU_FACTORIZATION(Kind, letter, T)                                                                  \
    EMU_CUSPARSE(letter##Kind##_bufferSize,                                                                 \
                 (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T* values,       \
                  const int* offsets, const int* columns, Kind##Info_t info, int* bytes),                   \
                 handle, m, nnz, descr, values, offsets, columns, info, bytes)                              \
    EMU_CUSPARSE(letter##Kind##_analysis,                                                                   \
                 (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T* values, \
                  const int* offsets, const int* columns, Kind##Info_t info, cusparseSolvePolicy_t policy,  \
                  void* buffer),                                                                            \
                 handle, m, nnz, descr, values, offsets, columns, info, policy, buffer)                     \
    EMU_CUSPARSE(letter##Kind,                                                                              \
                 (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T* values,       \
                  const int* offsets, const int* columns, Kind##Info_t info, cusparseSolvePolicy_t policy,  \
                  void* buffer),                                                                            \
                 handle, m, nnz, descr, values, offsets, columns, info, policy, buffer)
#define EMU_FACTORIZATIONS(Kind)                                                                                 \
    EMU_FACTORIZATION(Kind, S, float)                                                                            \
    EMU_FACTORIZATION(Kind, D, double)                                                                           \
    EMU_FACTORIZATION(Kind, C, cuComplex)                                                                        \
    EMU_FACTORIZATION(Kind, Z, cuDoubleComplex)                                                                  \
    EMU_CUSPARSE(X##Kind##_zeroPivot, (cusparseHandle_t handle, Kind##Info_t info, int* position), handle, info, \
                 position)
EMU_FACTORIZATIONS(csrilu02)
EMU_FACTORIZATIONS(csric02)
EMU_CUSPARSE(CreateCsrilu02Info, (csrilu02Info_t * info), info)
EMU_CUSPARSE(DestroyCsrilu02Info, (csrilu02Info_t info), info)
EMU_CUSPARSE(CreateCsric02Info, (csric02Info_t * info), info)
EMU_CUSPARSE(DestroyCsric02Info, (csric02Info_t info), info)
#undef EMU_FACTORIZATIONS
#undef EMU_FACTORIZATION
#undef EMU_CONST
#undef EMU_CUSPARSE
