// cuFFT's plans by types of elements, and of one GPU alone.
#pragma once
#include "cufft.h"

#define EMU_CUFFT(name, parameters, ...) EMU_FORWARD(cufft, cufftResult, name, parameters, __VA_ARGS__)
EMU_CUFFT(cufftXtMakePlanMany,
          (cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
           cudaDataType inputtype, long long* onembed, long long ostride, long long odist, cudaDataType outputtype,
           long long batch, size_t* bytes, cudaDataType executiontype),
          plan, rank, n, inembed, istride, idist, inputtype, onembed, ostride, odist, outputtype, batch, bytes)
EMU_CUFFT(cufftXtExec, (cufftHandle plan, void* input, void* output, int direction), plan, input, output, direction)
#undef EMU_CUFFT
