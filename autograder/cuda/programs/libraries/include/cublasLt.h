// cuBLASLt: products of matrices with what follows them. cuda/programs/libraries/cublaslt.py computes.
#pragma once
#include "cublas_api.h"

typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque* cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque* cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque* cublasLtMatmulPreference_t;
typedef struct {
    unsigned long data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW } cublasLtOrder_t;
typedef enum { CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE } cublasLtPointerMode_t;
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE,
    CUBLASLT_MATRIX_LAYOUT_ORDER,
    CUBLASLT_MATRIX_LAYOUT_ROWS,
    CUBLASLT_MATRIX_LAYOUT_COLS,
    CUBLASLT_MATRIX_LAYOUT_LD,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE,
    CUBLASLT_MATMUL_DESC_POINTER_MODE,
    CUBLASLT_MATMUL_DESC_TRANSA,
    CUBLASLT_MATMUL_DESC_TRANSB,
    CUBLASLT_MATMUL_DESC_TRANSC,
    CUBLASLT_MATMUL_DESC_FILL_MODE,
    CUBLASLT_MATMUL_DESC_EPILOGUE,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
} cublasLtMatmulPreferenceAttributes_t;

#define EMU_CUBLASLT(name, parameters, ...) EMU_FORWARD(cublaslt, cublasStatus_t, name, parameters, __VA_ARGS__)
EMU_CUBLASLT(cublasLtCreate, (cublasLtHandle_t * handle), handle)
EMU_CUBLASLT(cublasLtDestroy, (cublasLtHandle_t handle), handle)
EMU_CUBLASLT(cublasLtMatmulDescCreate,
             (cublasLtMatmulDesc_t * made, cublasComputeType_t computeType, cudaDataType scaleType), made, computeType,
             scaleType)
EMU_CUBLASLT(cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t made), made)
EMU_CUBLASLT(cublasLtMatmulDescSetAttribute,
             (cublasLtMatmulDesc_t made, cublasLtMatmulDescAttributes_t which, const void* value, size_t bytes), made,
             which, value, bytes)
EMU_CUBLASLT(cublasLtMatrixLayoutCreate,
             (cublasLtMatrixLayout_t * made, cudaDataType type, unsigned long rows, unsigned long cols, long ld), made,
             type, rows, cols, ld)
EMU_CUBLASLT(cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t made), made)
EMU_CUBLASLT(cublasLtMatrixLayoutSetAttribute,
             (cublasLtMatrixLayout_t made, cublasLtMatrixLayoutAttribute_t which, const void* value, size_t bytes),
             made, which, value, bytes)
EMU_CUBLASLT(cublasLtMatmul,
             (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* A,
              cublasLtMatrixLayout_t Adesc, const void* B, cublasLtMatrixLayout_t Bdesc, const void* beta,
              const void* C, cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
              const cublasLtMatmulAlgo_t* algo, void* workspace, size_t bytes, cudaStream_t stream),
             handle, desc, alpha, A, Adesc, B, Bdesc, beta, C, Cdesc, D, Ddesc, stream)
#undef EMU_CUBLASLT

// There is one way to compute, so nothing is preferred.
static inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
    return *made = nullptr, CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) {
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                                  cublasLtMatmulPreferenceAttributes_t, const void*,
                                                                  size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                                            cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                            cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                            cublasLtMatmulPreference_t, int,
                                                            cublasLtMatmulHeuristicResult_t* results, int* count) {
    return results[0] = {}, *count = 1, CUBLAS_STATUS_SUCCESS;
}
