#pragma once
typedef int (*Operation)(int, int);
extern __device__ Operation operations[3];
__device__ int apply(Operation f, int a, int b);
__global__ void choose(Operation* chosen, int which);
