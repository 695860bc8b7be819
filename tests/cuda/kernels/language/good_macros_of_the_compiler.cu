// kernel: k   grid: 1   block: 32
// args: a int32[32] poison
// expect: nothing
// check: a == np.full(32, 5)
#ifndef __K_CUH__
#define __K_CUH__
#define _FIVE 5

__global__ void k(int* a)
{
#if __CUDA_ARCH__ >= 700 && defined(__CUDACC__) && CUDART_VERSION >= 12000
    a[threadIdx.x] = _FIVE;
#endif
}
#endif
