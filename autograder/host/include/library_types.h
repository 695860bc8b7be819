// What CUDA's libraries have in common, in the words of their headers.
#pragma once
#define CUDARTAPI
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
typedef enum cudaDataType_t {
    CUDA_R_32F,
    CUDA_R_64F,
    CUDA_R_16F,
    CUDA_R_8I,
    CUDA_C_32F,
    CUDA_C_64F,
    CUDA_C_16F,
    CUDA_C_8I,
    CUDA_R_8U,
    CUDA_C_8U,
    CUDA_R_32I,
    CUDA_C_32I,
    CUDA_R_32U,
    CUDA_C_32U,
    CUDA_R_16BF,
    CUDA_C_16BF,
} cudaDataType;
