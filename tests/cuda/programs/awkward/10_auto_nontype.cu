#include <cstdio>
#include <cstdlib>
#include <type_traits>

inline void must(cudaError_t rc, const char* expr) {
  if (rc != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", expr, cudaGetErrorString(rc));
    std::exit(3);
  }
}
#define MUST(...) must((__VA_ARGS__), #__VA_ARGS__)

enum class Mode : char { Up = 'u', Down = 'd' };

__device__ int inc(int x) { return x + 1; }
__device__ int dbl(int x) { return x * 2; }

// auto may be an int, a char, an enumerator, a bool or a device function.
template <auto V>
__global__ void fill(int* out) {
  out[threadIdx.x] = static_cast<int>(V) + static_cast<int>(threadIdx.x);
}

template <auto First, decltype(First)... Rest>
__global__ void horner(long long* out, long long x) {
  long long acc = First;
  ((acc = acc * x + Rest), ...);
  out[threadIdx.x] = acc;
}

template <int (*... Fs)(int)>
struct Chain {
  __device__ static int run(int x) {
    ((x = Fs(x)), ...);
    return x;
  }
};

template <auto F, unsigned N = sizeof(int) * (2 > 1)>
__global__ void apply(int* data) {
  for (unsigned i = 0; i < N; ++i) data[threadIdx.x] = F(data[threadIdx.x]);
}

// A literal class as a template parameter (C++20).
struct Shape {
  int rows, cols;
  __host__ __device__ constexpr int size() const { return rows * cols; }
  bool operator==(const Shape&) const = default;
};

template <Shape S>
__global__ void transpose(const int (*in)[S.cols], int (*out)[S.rows]) {
  __shared__ int tile[S.rows][S.cols];
  for (int k = threadIdx.x; k < S.size(); k += blockDim.x) tile[k / S.cols][k % S.cols] = in[k / S.cols][k % S.cols];
  __syncthreads();
  for (int k = threadIdx.x; k < S.size(); k += blockDim.x) out[k / S.rows][k % S.rows] = tile[k % S.rows][k / S.rows];
}

int main() {
  int* d;
  long long* l;
  int h[4];
  MUST(cudaMalloc(&d, sizeof h));
  MUST(cudaMalloc(&l, sizeof(long long)));
  auto show = [&](const char* title) {
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("%s: %d %d %d %d\n", title, h[0], h[1], h[2], h[3]);
  };
  fill<42><<<1, 4>>>(d);
  show("int");
  fill<'A'><<<1, 4>>>(d);
  show("char");
  fill<Mode::Down><<<1, 4>>>(d);
  show("enum");
  fill<(3 > 2)><<<1, 4>>>(d);
  show("bool");
  apply<inc><<<1, 4>>>(d);
  show("inc 4 times");
  apply<Chain<dbl, inc, dbl>::run, 1><<<1, 4>>>(d);
  show("chain");

  horner<2, 0, -1, 5><<<1, 1>>>(l, 10);
  MUST(cudaGetLastError());
  long long value;
  MUST(cudaMemcpy(&value, l, sizeof value, cudaMemcpyDeviceToHost));
  std::printf("horner: %lld\n", value);

  constexpr Shape shape{2, 3};
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, t[3][2];
  int(*dm)[3];
  int(*dt)[2];
  MUST(cudaMalloc(&dm, sizeof m));
  MUST(cudaMalloc(&dt, sizeof t));
  MUST(cudaMemcpy(dm, m, sizeof m, cudaMemcpyHostToDevice));
  transpose<shape><<<1, 4>>>(dm, dt);
  MUST(cudaGetLastError());
  MUST(cudaMemcpy(t, dt, sizeof t, cudaMemcpyDeviceToHost));
  std::printf("transposed: %d %d | %d %d | %d %d\n", t[0][0], t[0][1], t[1][0], t[1][1], t[2][0], t[2][1]);
  MUST(cudaFree(dt));
  MUST(cudaFree(dm));
  MUST(cudaFree(l));
  MUST(cudaFree(d));
  return 0;
}
