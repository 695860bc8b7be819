#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#define ck(x) ck_((x), __LINE__)
static inline void ck_(cudaError_t e, int line) {
  if (e) { std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e)); std::exit(line); }
}

// A '>' inside the parentheses of the template head.
template <typename T, std::enable_if_t<(sizeof(T) > 2), int> = 0>
__global__ void widen(const T* in, long long* out) {
  out[threadIdx.x] = static_cast<long long>(in[threadIdx.x]) << 1;
}

template <typename T, std::enable_if_t<!(sizeof(T) > 2), int> = 0>
__global__ void widen(const T* in, long long* out) {
  out[threadIdx.x] = static_cast<long long>(in[threadIdx.x]) - 1;
}

// The condition stands on the return type.
template <typename T>
__global__ std::enable_if_t<std::is_integral<T>::value> twice(T* x) { x[threadIdx.x] *= 2; }

template <typename T>
__global__ typename std::enable_if<std::is_floating_point<T>::value, void>::type twice(T* x) {
  x[threadIdx.x] += T(0.5);
}

#define TEMPLATE_INT template <class I, class = std::enable_if_t<std::is_integral_v<I> && (sizeof(I) >= 1 << 2)>>
TEMPLATE_INT __device__ I bits(I v) { I c = 0; for (; v; v &= v - 1) ++c; return c; }
TEMPLATE_INT __global__ void popcounts(I* x) { x[threadIdx.x] = bits(x[threadIdx.x]); }

template <typename T, bool = (sizeof(T) > sizeof(int)) || (sizeof(T) < 2)>
struct Odd { static constexpr int value = 1; };
template <typename T>
struct Odd<T, false> { static constexpr int value = 2; };

template <typename T>
void run(const char* name) {
  constexpr int n = 8;
  T h[n];
  long long r[n];
  for (int i = 0; i < n; ++i) h[i] = static_cast<T>(i + 5);
  T* d;
  long long* o;
  ck(cudaMalloc(&d, sizeof h));
  ck(cudaMalloc(&o, sizeof r));
  ck(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  twice<<<1, n>>>(d);
  ck(cudaGetLastError());
  widen<<<1, n>>>(d, o);
  ck(cudaGetLastError());
  ck(cudaDeviceSynchronize());
  ck(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("%s: %lld %lld %lld, odd %d\n", name, r[0], r[1], r[7], Odd<T>::value);
  ck(cudaFree(d));
  ck(cudaFree(o));
}

int main() {
  run<std::int8_t>("int8_t");
  run<std::uint16_t>("uint16_t");
  run<int>("int");
  run<double>("double");
  unsigned h[4] = {0u, 1u, 0xffu, 0xffffffffu}, *d;
  ck(cudaMalloc(&d, sizeof h));
  ck(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  popcounts<<<1, 4>>>(d);
  ck(cudaGetLastError());
  ck(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("popcounts: %u %u %u %u\n", h[0], h[1], h[2], h[3]);
  ck(cudaFree(d));
  return 0;
}
