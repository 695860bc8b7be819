#include <cstdio>
#include <cstdlib>
#if 0
__global__ void broken(int *p { p[0] = <<<>>> ;;; }}}}
this isn't C++ at all: "unterminated, and an apostrophe's here too
#if NESTED
#error never seen
#else
} } } ) ] >
#endif
#include <no/such/file.h>
template <typename
#elif 1
#define LIVE 1
#else
#error also never seen
#endif

#ifndef NEVER_DEFINED
#  define LENGTH 8
#  if defined(__CUDACC__) && LIVE
#    define QUALIFIED(x) __global__ x
#  else
#    error "needs a CUDA compiler"
#  endif
#else
int main( { <<< }
#endif

QUALIFIED(void)
#if LENGTH > 4
fill(int *p, int v)
#else
fill(short *p)
#endif
{
#ifdef DEBUG_NOT_DEFINED
    printf("thread %d\n", threadIdx.x);
    if (true) {
#endif
    int i = threadIdx.x;
#if 0
    }
#endif
    if (i < LENGTH
#if LIVE
        && i != 3
#endif
    ) {
        p[i] = v
#if LENGTH == 8
            + i
#else
            - i
#endif
            ;
    }
#ifdef DEBUG_NOT_DEFINED
    }
#endif
}

#undef LENGTH
#define LENGTH 4
__global__ void
#if !LIVE
dead
#else
live
#endif
(int *p) { if (threadIdx.x < LENGTH) p[threadIdx.x] -= 1; }

#if (0 && (1 / 1)) || \
    defined NOTHING
garbage here
#endif

#line 1000 "renamed.cu"
static int where() { return __LINE__; }
#line 74 "41_if_zero_rubbish.cu"

#define CK(e) if (cudaError_t r = e) { std::fprintf(stderr, "%s\n", cudaGetErrorString(r)); return 1; }

int main()
{
#if !defined(__CUDACC__) || defined(NOT_DEFINED_EITHER)
    this is never compiled }
#endif
    int h[8], *p;
    CK(cudaMalloc(&p, sizeof h))
    CK(cudaMemset(p, 0, sizeof h))
#if 1 /* a comment
    over two lines */
    fill<<<1, 32>>>(p, 10);
#endif
    CK(cudaGetLastError())
    live<<<1, 32>>>(p);
    CK(cudaGetLastError())
    CK(cudaDeviceSynchronize())
    CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost))
    for (int v : h) std::printf("%d ", v);
    std::printf("\n%d\n", where());
    CK(cudaFree(p))
    return 0;
}
