// What GPUVerify and Faial call in kernels, for a compiler that proves nothing: each does nothing.
#include <assert.h>
#define __requires(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __ensures(...) ((void)0)
#define __assume(...) ((void)0)
#define __assert(...) ((void)0)
#define __invariant(...) 1
#define __global_invariant(...) 1
#define __uniform_int(...) 1
#define __axiom(...)
#define synchronize sync  // of a group
