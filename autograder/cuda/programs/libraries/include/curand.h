// cuRAND's interface for the host. cuda/programs/libraries/curand.py computes.
#pragma once
#include "emu_library.h"
#include "library_types.h"

#define CURAND_H_
#define CURANDAPI
#define CURAND_VERSION 1310
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st* curandGenerator_t;
// What NVIDIA's headers of the device's functions use besides.
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef double curandDistribution_st, curandHistogramM2V_st;
typedef unsigned curandHistogramM2K_st;
typedef curandDistribution_st* curandDistribution_t;
typedef curandHistogramM2K_st* curandHistogramM2K_t;
typedef curandHistogramM2V_st* curandHistogramM2V_t;
typedef struct curandDistributionShift_st* curandDistributionShift_t;
typedef struct curandDistributionM2Shift_st* curandDistributionM2Shift_t;
typedef struct curandHistogramM2_st* curandHistogramM2_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;
typedef enum curandMethod {
    CURAND_CHOOSE_BEST = 0,
    CURAND_ITR = 1,
    CURAND_KNUTH = 2,
    CURAND_HITR = 3,
    CURAND_M1 = 4,
    CURAND_M2 = 5,
    CURAND_BINARY_SEARCH = 6,
    CURAND_DISCRETE_GAUSS = 7,
    CURAND_REJECTION = 8,
    CURAND_DEVICE_API = 9,
    CURAND_FAST_REJECTION = 10,
    CURAND_3RD = 11,
    CURAND_DEFINITION = 12,
    CURAND_POISSON = 13
} curandMethod_t;

#define EMU_CURAND(name, parameters, ...) EMU_FORWARD(curand, curandStatus_t, name, parameters, __VA_ARGS__)
#define EMU_G curandGenerator_t generator
EMU_CURAND(curandCreateGenerator, (curandGenerator_t * generator, curandRngType_t type), generator, type)
EMU_CURAND(curandCreateGeneratorHost, (curandGenerator_t * generator, curandRngType_t type), generator, type)
EMU_CURAND(curandDestroyGenerator, (EMU_G), generator)
EMU_CURAND(curandSetStream, (EMU_G, cudaStream_t stream), generator, stream)
EMU_CURAND(curandSetPseudoRandomGeneratorSeed, (EMU_G, unsigned long long seed), generator, seed)
EMU_CURAND(curandSetGeneratorOffset, (EMU_G, unsigned long long offset), generator, offset)
EMU_CURAND(curandSetGeneratorOrdering, (EMU_G, curandOrdering_t order), generator, order)
EMU_CURAND(curandGenerateSeeds, (EMU_G), generator)
EMU_CURAND(curandGenerate, (EMU_G, unsigned* out, size_t n), generator, out, n)
EMU_CURAND(curandGenerateLongLong, (EMU_G, unsigned long long* out, size_t n), generator, out, n)
EMU_CURAND(curandGenerateUniform, (EMU_G, float* out, size_t n), generator, out, n)
EMU_CURAND(curandGenerateUniformDouble, (EMU_G, double* out, size_t n), generator, out, n)
EMU_CURAND(curandGenerateNormal, (EMU_G, float* out, size_t n, float mean, float stddev), generator, out, n, mean,
           stddev)
EMU_CURAND(curandGenerateNormalDouble, (EMU_G, double* out, size_t n, double mean, double stddev), generator, out, n,
           mean, stddev)
EMU_CURAND(curandGenerateLogNormal, (EMU_G, float* out, size_t n, float mean, float stddev), generator, out, n, mean,
           stddev)
EMU_CURAND(curandGenerateLogNormalDouble, (EMU_G, double* out, size_t n, double mean, double stddev), generator, out, n,
           mean, stddev)
EMU_CURAND(curandGeneratePoisson, (EMU_G, unsigned* out, size_t n, double lambda), generator, out, n, lambda)
#undef EMU_G
#undef EMU_CURAND
static inline curandStatus_t curandGetVersion(int* version) { return *version = CURAND_VERSION, CURAND_STATUS_SUCCESS; }
