// kernel: fill   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct='#include <mma.h>' reason=unsupported
// (nothing of the header is used, and still it is refused:)
#include <mma.h> // (1)
__global__ void fill(float* out) { out[threadIdx.x] = 1.0f; }
