// prints: 256 63 638 637 176 168 168 256
#include <cstdio>
// Loops of compare and swap that begin with a plain read, as the one in the CUDA C++ Programming Guide does.
struct Cell { float value; int tag; };
__device__ float addF(float* address, float v)
{
    int* word = (int*)address;
    int old = *word, seen;
    do { seen = old; old = atomicCAS(word, seen, __float_as_int(v + __int_as_float(seen))); } while (old != seen);
    return __int_as_float(old);
}
__device__ void maxF(float* address, float v)
{
    float old = *address;
    while (old < v) {
        float seen = old;
        old = __int_as_float(atomicCAS((int*)address, __float_as_int(seen), __float_as_int(v)));
        if (old == seen) break;
    }
}
template <class T> __device__ void minT(T* cells, int i, T v)
{
    T now = cells[i];
    while (v < now) {
        T found = atomicCAS(&cells[i], now, v);
        if (found == now) return;
        now = found;
    }
}
__device__ double addD(double* address, double v)
{
    unsigned long long* word = (unsigned long long*)address;
    unsigned long long old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}
__global__ void change(float* out, int* least, Cell* cells, double* sum)
{
    addD(sum, 1.0);
    addF(out, 1.0f);
    maxF(out + 1, threadIdx.x);
    minT(least, threadIdx.x % 2, int(1000 - threadIdx.x - 100 * blockIdx.x));
    int i = threadIdx.x % 3;
    int tag = cells[i].tag;
    while (true) {
        int before = atomicCAS(&cells[i].tag, tag, tag + 2);
        if (before == tag) break;
        tag = before;
    }
}
int main()
{
    float* d;
    int* m;
    Cell* c;
    double* s;
    cudaMalloc(&d, 8);
    cudaMemset(d, 0, 8);
    cudaMalloc(&m, 8);
    cudaMemset(m, 0x7f, 8);
    cudaMalloc(&c, 24);
    cudaMemset(c, 0, 24);
    cudaMalloc(&s, 8);
    cudaMemset(s, 0, 8);
    change<<<4, 64>>>(d, m, c, s);
    float h[2];
    int l[2];
    Cell g[3];
    double t;
    cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, m, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(g, c, 24, cudaMemcpyDeviceToHost);
    cudaMemcpy(&t, s, 8, cudaMemcpyDeviceToHost);
    printf("%g %g %d %d %d %d %d %g\n", h[0], h[1], l[0], l[1], g[0].tag, g[1].tag, g[2].tag, t);
    cudaFree(d);
    cudaFree(m);
    cudaFree(c);
    cudaFree(s);
}
