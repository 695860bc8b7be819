
__device__ int limit = 4;
__global__ void other(int* x) { *x = limit; }
