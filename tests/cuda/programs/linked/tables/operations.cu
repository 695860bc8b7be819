#include "operations.cuh"

static __device__ int own(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
static __device__ int add(int a, int b) { return a + b; }

__device__ Operation operations[3] = {add, times, own};
__device__ int apply(Operation f, int a, int b) { return f(a, b); }
__global__ void choose(Operation* chosen, int which) { *chosen = which ? own : operations[1]; }
