#include "parts.cuh"
__device__ float other(float x) { return shift(x); }
