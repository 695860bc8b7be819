// cuFFT. cuda/programs/libraries/cufft.py computes.
#pragma once
#include "emu_library.h"
#include "library_types.h"
#include <cuComplex.h>

#define _CUFFT_H_
#define CUFFTAPI
#define CUFFT_VERSION 11410
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
    CUFFT_SUCCESS,
    CUFFT_INVALID_PLAN,
    CUFFT_ALLOC_FAILED,
    CUFFT_INVALID_TYPE,
    CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR,
    CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED,
    CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA,
    CUFFT_INCOMPLETE_PARAMETER_LIST,
    CUFFT_INVALID_DEVICE,
    CUFFT_PARSE_ERROR,
    CUFFT_NO_WORKSPACE,
    CUFFT_NOT_IMPLEMENTED,
    CUFFT_LICENSE_ERROR,
    CUFFT_NOT_SUPPORTED,
    CUFFT_MISSING_DEPENDENCY,
    CUFFT_NVRTC_FAILURE,
    CUFFT_NVJITLINK_FAILURE,
    CUFFT_NVSHMEM_FAILURE
} cufftResult;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define EMU_CUFFT(name, parameters, ...) EMU_FORWARD(cufft, cufftResult, name, parameters, __VA_ARGS__)
EMU_CUFFT(cufftCreate, (cufftHandle * plan), plan)
EMU_CUFFT(cufftDestroy, (cufftHandle plan), plan)
EMU_CUFFT(cufftSetStream, (cufftHandle plan, cudaStream_t stream), plan, stream)
EMU_CUFFT(cufftGetSize, (cufftHandle plan, size_t* bytes), plan, bytes)
EMU_CUFFT(cufftSetWorkArea, (cufftHandle plan, void* space), plan, space)
EMU_CUFFT(cufftSetAutoAllocation, (cufftHandle plan, int automatic), plan, automatic)
EMU_CUFFT(cufftPlan1d, (cufftHandle * plan, int nx, cufftType type, int batch), plan, nx, type, batch)
EMU_CUFFT(cufftPlan2d, (cufftHandle * plan, int nx, int ny, cufftType type), plan, nx, ny, type)
EMU_CUFFT(cufftPlan3d, (cufftHandle * plan, int nx, int ny, int nz, cufftType type), plan, nx, ny, nz, type)
#define EMU_LAYOUT                                                                                                \
    int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type, \
        int batch
EMU_CUFFT(cufftPlanMany, (cufftHandle * plan, EMU_LAYOUT), plan, rank, n, inembed, istride, idist, onembed, ostride,
          odist, type, batch)
EMU_CUFFT(cufftMakePlan1d, (cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes), plan, nx, type, batch,
          bytes)
EMU_CUFFT(cufftMakePlan2d, (cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes), plan, nx, ny, type, bytes)
EMU_CUFFT(cufftMakePlan3d, (cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes), plan, nx, ny, nz,
          type, bytes)
EMU_CUFFT(cufftMakePlanMany, (cufftHandle plan, EMU_LAYOUT, size_t* bytes), plan, rank, n, inembed, istride, idist,
          onembed, ostride, odist, type, batch, bytes)
#undef EMU_LAYOUT
EMU_CUFFT(cufftExecC2C, (cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction), plan, idata, odata,
          direction)
EMU_CUFFT(cufftExecZ2Z, (cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata, int direction), plan,
          idata, odata, direction)
EMU_CUFFT(cufftExecR2C, (cufftHandle plan, cufftReal* idata, cufftComplex* odata), plan, idata, odata)
EMU_CUFFT(cufftExecC2R, (cufftHandle plan, cufftComplex* idata, cufftReal* odata), plan, idata, odata)
EMU_CUFFT(cufftExecD2Z, (cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata), plan, idata, odata)
EMU_CUFFT(cufftExecZ2D, (cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata), plan, idata, odata)
#undef EMU_CUFFT
static inline cufftResult cufftGetVersion(int* version) { return *version = CUFFT_VERSION, CUFFT_SUCCESS; }
