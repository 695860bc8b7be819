#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#define HD __host__ __device__

class Vec3 {
public:
  float x = 0, y = 0, z = 0;

  Vec3() = default;
  HD constexpr Vec3(float x_, float y_, float z_) : x{x_}, y{y_}, z{z_} {}
  HD explicit constexpr Vec3(float s) : Vec3(s, s, s) {}

  HD friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  HD friend Vec3 operator*(float s, Vec3 v) { return v *= s; }
  HD Vec3& operator*=(float s) { x *= s; y *= s; z *= s; return *this; }
  HD Vec3 operator-() const { return Vec3(-x, -y, -z); }
  HD float operator|(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
  HD float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  HD const float& operator[](int i) const { return const_cast<Vec3&>(*this)[i]; }
  HD explicit operator bool() const { return x != 0 || y != 0 || z != 0; }
  HD bool operator<(const Vec3& o) const { return (*this | *this) < (o | o); }
  HD bool operator==(const Vec3&) const = default;
  HD Vec3 operator++(int) { Vec3 old = *this; x += 1; y += 1; z += 1; return old; }
  HD Vec3& operator++() { (*this)++; return *this; }
  HD float operator()(float t) const { return x + t * (y + t * z); }
  HD Vec3 operator<<(int n) const { return float(1 << n) * *this; }
  HD Vec3 operator>>(int n) const { return (1.0f / float(1 << n)) * *this; }
  HD const Vec3* operator->() const { return this; }
  HD friend Vec3 operator,(const Vec3&, const Vec3& b) { return b; }
};

std::ostream& operator<<(std::ostream& out, const Vec3& v) {
  return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}

__global__ void compute(const Vec3* in, Vec3* out, float* scalars, Vec3 shift) {
  const int i = threadIdx.x;
  Vec3 v = in[i] + shift;
  v[2] += v++[0];
  if (!v || v < shift) v *= -1;
  ++v;
  out[i] = 2.0f * -v << 1 >> 2;
  scalars[i] = (v | Vec3(1)) + out[i](0.5f) + (v == v ? 1.0f : 0.0f) + v->x;
  out[i] = (v, out[i]);
}

static bool good(cudaError_t e) {
  if (e != cudaSuccess) std::cerr << cudaGetErrorString(e) << std::endl;
  return e == cudaSuccess;
}

int main() {
  const int n = 3;
  Vec3 in[n] = {{1, 2, 3}, Vec3(-4), {}}, out[n];
  float scalars[n];
  Vec3 *d_in, *d_out;
  float* d_s;
  bool fine = good(cudaMalloc(&d_in, sizeof in)) && good(cudaMalloc(&d_out, sizeof out)) && good(cudaMalloc(&d_s, sizeof scalars));
  fine = fine && good(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  if (!fine) return 1;
  compute<<<1, n>>>(d_in, d_out, d_s, Vec3(0.5f, 0.25f, -1.0f) << 1);
  fine = good(cudaGetLastError()) && good(cudaDeviceSynchronize());
  fine = fine && good(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  fine = fine && good(cudaMemcpy(scalars, d_s, sizeof scalars, cudaMemcpyDeviceToHost));
  if (!fine) return 1;
  for (int i = 0; i < n; ++i) std::cout << out[i] << ' ' << scalars[i] << '\n';
  std::cout << (in[0] + in[1]) << ' ' << (in[1] < in[0]) << '\n';
  fine = good(cudaFree(d_in)) && good(cudaFree(d_out)) && good(cudaFree(d_s));
  return fine ? 0 : 1;
}
