// prints: 0 bad
#include <cstdio>
#include <new>
struct Base { int b; __device__ Base(int b) : b(b) {} __device__ virtual int get() const { return b; } __device__ virtual int two() const { return 2; } };
struct Left : virtual Base { int l; __device__ Left() : Base(1), l(2) {} };
struct Right : virtual Base { int r; __device__ Right() : Base(1), r(3) {} __device__ int get() const override { return 1000 + b; } };
struct Diamond : Left, Right { __device__ Diamond(int i) : Base(i) {} };
struct Five : Base { __device__ Five(int i) : Base(i) {} __device__ int two() const override { return 5; }};
union Slot { char bytes[64]; long long align; };
__global__ void make(Slot* s, Base** o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 3 == 0) o[i] = new (s + i) Diamond(i);
    else if (i % 3 == 1) o[i] = new (s + i) Base(i);
    else o[i] = new (s + i) Five(i);
}
__global__ void use(Base** o, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = o[i]->get() * 10 + o[i]->two();
}
int main() {
    const int n = 20000;
    static int h[n];
    Slot* s; Base** o; int* out;
    cudaMalloc(&s, n * sizeof(Slot)); cudaMalloc(&o, n * 8); cudaMalloc(&out, n * 4);
    make<<<(n + 127) / 128, 128>>>(s, o, n);
    use<<<(n + 127) / 128, 128>>>(o, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++) bad += h[i] != ((i % 3 == 0 ? 1000 + i : i) * 10 + (i % 3 == 2 ? 5 : 2));
    printf("%d bad\n", bad);
    cudaFree(s); cudaFree(o); cudaFree(out);
    return cudaGetLastError();
}
