#include <cstdio>
#include <cstdlib>
#include <type_traits>

#ifndef PAD
#define PAD 1
#endif

template <typename T, int ROWS, int COLS = ROWS, int DEPTH = 1>
struct Geometry {
  using value_type = T;
  enum { rows = ROWS, cols = COLS, depth = DEPTH };
  typedef T plane[ROWS][COLS + PAD];
  typedef plane volume[DEPTH];
};

template <class G>
__global__ void transpose(typename G::value_type* out, const typename G::value_type* in) {
  __shared__ typename G::volume tile;
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  tile[z][y][x] = in[(z * G::rows + y) * G::cols + x];
  __syncthreads();
  for (int k = y * G::cols + x; k < G::rows * G::cols; k += G::rows * G::cols) {
    const int r = k / G::rows, c = k % G::rows;
    out[z * G::rows * G::cols + k] = tile[z][c][r];
  }
}

template <typename T, int N>
__device__ T trace(T (&m)[N][N + PAD]) {
  T t = 0;
  for (int i = 0; i < N; ++i) t += m[i][i];
  return t;
}

template <int N, typename T = double>
__global__ void multiply(const T* a, const T* b, T* c, T* traces) {
  __shared__ T sa[N][N + PAD], sb[N][N + PAD], (*alias)[N + PAD];
  __shared__ T result[N][N + PAD];
  const int i = threadIdx.y, j = threadIdx.x;
  if (i == 0 && j == 0) alias = sb;
  sa[i][j] = a[i * N + j];
  sb[i][j] = b[i * N + j];
  __syncthreads();
  T sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) sum += sa[i][k] * alias[k][j];
  result[i][j] = sum;
  c[i * N + j] = sum;
  __syncthreads();
  if (i == 0 && j == 0) traces[0] = trace<T, N>(result);
}

// Shared memory in a device function template, which two kernels share.
template <typename T>
__device__ T block_sum(T value) {
  __shared__ std::aligned_storage_t<sizeof(T) * 32, alignof(T)> raw;
  T* cells = reinterpret_cast<T*>(&raw);
  cells[threadIdx.x] = value;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cells[threadIdx.x] += cells[threadIdx.x + s];
    __syncthreads();
  }
  T total = cells[0];
  __syncthreads();
  return total;
}

__global__ void sums(int* i, double* d) {
  const int a = block_sum<int>(threadIdx.x), b = block_sum<int>(1);
  const double c = block_sum(0.5 * threadIdx.x);
  if (threadIdx.x == 0) { i[0] = a * 1000 + b; d[0] = c; }
}

static void must(cudaError_t e, int line) {
  if (e != cudaSuccess) { printf("line %d: %s\n", line, cudaGetErrorString(e)); exit(1); }
}
#define MUST(e) must(e, __LINE__)

int main() {
  using G = Geometry<short, 3, 5, 2>;
  short h[30], *in, *out;
  for (int k = 0; k < 30; ++k) h[k] = static_cast<short>(k);
  MUST(cudaMalloc(&in, sizeof h));
  MUST(cudaMalloc(&out, sizeof h));
  MUST(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  transpose<G><<<1, dim3(G::cols, G::rows, G::depth)>>>(out, in);
  MUST(cudaGetLastError());
  MUST(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d %d\n", h[0], h[1], h[3], h[14], h[29]);

  double m[16], *a, *c, *t;
  for (int k = 0; k < 16; ++k) m[k] = k % 5;
  MUST(cudaMalloc(&a, sizeof m));
  MUST(cudaMalloc(&c, sizeof m));
  MUST(cudaMalloc(&t, sizeof(double)));
  MUST(cudaMemcpy(a, m, sizeof m, cudaMemcpyHostToDevice));
  multiply<4><<<1, dim3(4, 4)>>>(a, a, c, t);
  MUST(cudaGetLastError());
  MUST(cudaMemcpy(m, c, sizeof m, cudaMemcpyDeviceToHost));
  double trace_value;
  MUST(cudaMemcpy(&trace_value, t, sizeof(double), cudaMemcpyDeviceToHost));
  printf("%g %g %g, trace %g\n", m[0], m[5], m[15], trace_value);

  int i_host, *i_device;
  MUST(cudaMalloc(&i_device, sizeof(int)));
  sums<<<1, 32>>>(i_device, t);
  MUST(cudaGetLastError());
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(&i_host, i_device, sizeof(int), cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(&trace_value, t, sizeof(double), cudaMemcpyDeviceToHost));
  printf("%d %g\n", i_host, trace_value);
  MUST(cudaFree(i_device));
  MUST(cudaFree(t));
  MUST(cudaFree(c));
  MUST(cudaFree(a));
  MUST(cudaFree(out));
  MUST(cudaFree(in));
  return 0;
}
