// Names of the C library that kernels may use. NVRTC gets this text, too, before every kernel.
#pragma once
// As nvcc's on Linux, where a 64-bit integer is a long: so atomicAdd(uint64_t*) is the same error everywhere.
#ifndef EMU_INT64
#define EMU_INT64 long
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef EMU_INT64 int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned EMU_INT64 uint64_t;
typedef EMU_INT64 intptr_t;
typedef unsigned EMU_INT64 uintptr_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::size_t; using ::ptrdiff_t;
}
#ifndef EMU_HOSTED
#define M_PI 3.14159265358979323846
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_C(n) n
#define UINT8_C(n) n
#define INT16_C(n) n
#define UINT16_C(n) n
#define INT32_C(n) n
#define UINT32_C(n) n##u
#define INT64_C(n) n##l
#define UINT64_C(n) n##ul
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-07f
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
