#include <stdio.h>
#include <stdlib.h>

/* Names of kernels exist only after pasting; even __global__ is pasted from two halves. */
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)
#define STR_(x) #x
#define STR(x) STR_(x)

#define GLOBAL CAT(__glo, bal__)
#define THREAD CAT(thread, Idx).x
#define VERSION 7
#define KNAME(op, type) CAT3(CAT3(k_, op, _), CAT(type, _v), VERSION)

#define OK(e) \
  if (cudaError_t CAT(status_, __LINE__) = (e); CAT(status_, __LINE__) != cudaSuccess) { \
    printf("line " STR(__LINE__) ": %s\n", cudaGetErrorString(CAT(status_, __LINE__))); \
    exit(1); \
  }

#define MAKE(op, sym, type) \
  GLOBAL void KNAME(op, type)(type *x, type y) { x[THREAD] = x[THREAD] sym y; }

MAKE(add, +, int)
MAKE(mul, *, int)
MAKE(add, +, double)
MAKE(mul, *, double)
#undef MAKE

#define GO(op, type, ptr, val) KNAME(op, type) CAT(<, <) < 1, 32 CAT(>, >) > (ptr, val)
/* "<<" and "<" do not join to "<<<" above without a paste, so the macro is never used: */
#undef GO
#define GO(op, type, ptr, val) KNAME(op, type)<<<1, 32>>>(ptr, val)

int main(void)
{
  int *pi;
  double *pd;
  int hi[32];
  double hd[32];
  for (int i = 0; i < 32; i++) hi[i] = i, hd[i] = i * 0.5;
  OK(cudaMalloc((void **)&pi, sizeof hi))
  OK(cudaMalloc((void **)&pd, sizeof hd))
  OK(cudaMemcpy(pi, hi, sizeof hi, cudaMemcpyHostToDevice))
  OK(cudaMemcpy(pd, hd, sizeof hd, cudaMemcpyHostToDevice))
  GO(add, int, pi, 3);
  GO(mul, int, pi, 10);
  GO(add, double, pd, 0.25);
  GO(mul, double, pd, 4.0);
  OK(cudaGetLastError())
  OK(cudaDeviceSynchronize())
  OK(cudaMemcpy(hi, pi, sizeof hi, cudaMemcpyDeviceToHost))
  OK(cudaMemcpy(hd, pd, sizeof hd, cudaMemcpyDeviceToHost))
  puts("kernel " STR(KNAME(add, int)));
  printf("%d %d %d\n", hi[0], hi[1], hi[31]);
  printf("%.2f %.2f %.2f\n", hd[0], hd[1], hd[31]);
  OK(cudaFree(pi))
  OK(cudaFree(pd))
  return 0;
}
