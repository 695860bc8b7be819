// prints: 3.0 4.0, |z| 5.0, z/z 1.0, 7 7 2 | 1 2 3 (5;6)
// What projects' headers have: complex numbers of CUDA's, the shared memory of templates, types that a host prints, and the
// library's simple loops in functions of both halves.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <cuComplex.h>
#include <iomanip>
#include <iostream>
using namespace std;

template <class T> struct Shared {
    __device__ T* get() {
        extern __device__ void no_such_type();
        no_such_type();
        return nullptr;
    }
};
template <> struct Shared<int> {
    __device__ int* get() {
        extern __shared__ int ints[];
        return ints;
    }
};
struct Point {
    int x, y;
    friend ostream& operator<<(ostream& out, const Point& p) { return out << "(" << p.x << ";" << p.y << ")"; }
};
struct Triple {
    int items[3];
    __host__ __device__ explicit Triple(const int* from) { std::copy(from, from + 3, std::begin(items)); }
};

template <class T> __global__ void mirror(T* x) {
    T* all = Shared<T>().get();
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
__global__ void shift(Point* p) { p->x += 4, p->y += 4; }
__global__ void twice(cuDoubleComplex* z) { *z = cuCmul(*z, make_cuDoubleComplex(2, 0)); }
__global__ void first(Triple t, int* x) { x[0] = t.items[0], x[1] = t.items[1], x[2] = t.items[2]; }

int main() {
    cuDoubleComplex* z;
    cudaMallocManaged(&z, sizeof *z);
    *z = make_cuDoubleComplex(1.5, 2);
    twice<<<1, 1>>>(z);
    cudaDeviceSynchronize();
    printf("%.1f %.1f, |z| %.1f, z/z %.1f, ", cuCreal(*z), cuCimag(*z), cuCabs(*z), cuCreal(cuCdiv(*z, *z)));

    int *x, numbers[] = {1, 2, 3};
    Point* p;
    cudaMallocManaged(&x, 12), cudaMallocManaged(&p, sizeof *p);
    std::fill(x, x + 3, 7), x[0] = 2;
    mirror<<<1, 3, 12>>>(x);
    cudaDeviceSynchronize();
    cout << x[0] << " " << x[1] << setw(2) << x[2] << " | ";
    first<<<1, 1>>>(Triple(numbers), x);
    *p = {1, 2};
    shift<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cout << x[0] << " " << x[1] << " " << x[2] << " " << *p << endl;
    cudaFree(z), cudaFree(x);
    return cudaFree(p);
}
