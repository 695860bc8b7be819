// goal: (b) an error message of gigabytes
// wanted: refused (a limit of time, memory or size, in one sentence)
template <class A, class B> struct P {};
template <class T> __device__ int size(T*) { return sizeof(T); }
using T0 = P<int, int>;
using T1 = P<T0, T0>; using T2 = P<T1, T1>; using T3 = P<T2, T2>; using T4 = P<T3, T3>;
using T5 = P<T4, T4>; using T6 = P<T5, T5>; using T7 = P<T6, T6>; using T8 = P<T7, T7>;
using T9 = P<T8, T8>; using T10 = P<T9, T9>; using T11 = P<T10, T10>; using T12 = P<T11, T11>;
using T13 = P<T12, T12>; using T14 = P<T13, T13>; using T15 = P<T14, T14>; using T16 = P<T15, T15>;
using T17 = P<T16, T16>; using T18 = P<T17, T17>; using T19 = P<T18, T18>; using T20 = P<T19, T19>;
using T21 = P<T20, T20>; using T22 = P<T21, T21>; using T23 = P<T22, T22>; using T24 = P<T23, T23>;
using T25 = P<T24, T24>; using T26 = P<T25, T25>; using T27 = P<T26, T26>; using T28 = P<T27, T27>;
using T29 = P<T28, T28>; using T30 = P<T29, T29>; using T31 = P<T30, T30>; using T32 = P<T31, T31>;

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T32* p = nullptr;
  if (i < n) out[i] = i * i + p->x;
}
