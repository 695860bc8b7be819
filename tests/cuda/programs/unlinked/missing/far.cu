#include "far.cuh"
// It takes another type.
namespace far {
__device__ float away(int x) { return x; }
}
