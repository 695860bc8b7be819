// prints: 1 2 3 4 5, 12 and 34, 6 7
// A demangler takes these names for types; and two variables have one name, in different namespaces.
#include <cstdio>

__constant__ int w[2], x, a;
__device__ int n;
namespace my {
__constant__ int tab[2];
}
static __constant__ int tab[2];
struct Point {
    int x, y;
};
__constant__ Point g;

extern "C" __global__ void k(int* out) {
    out[0] = w[0];
    out[1] = w[1];
    out[2] = x;
    out[3] = a;
    out[4] = my::tab[0] * 10 + my::tab[1];
    out[5] = tab[0] * 10 + tab[1];
    out[6] = g.x;
    out[7] = g.y;
    n += 1;
}

int main() {
    int pairs[] = {1, 2, 3, 4}, letters[] = {3, 4, 4}, found[8], *out;
    Point point = {6, 7};
    cudaMalloc(&out, sizeof found);
    cudaMemcpyToSymbol(w, pairs, 2 * sizeof(int));
    cudaMemcpyToSymbol(x, &letters[0], sizeof(int));
    cudaMemcpyToSymbol(a, &letters[1], sizeof(int));
    cudaMemcpyToSymbol(n, &letters[2], sizeof(int));
    cudaMemcpyToSymbol(my::tab, pairs, 2 * sizeof(int));
    cudaMemcpyToSymbol(tab, pairs + 2, 2 * sizeof(int));
    cudaMemcpyToSymbol(g, &point, sizeof point);
    k<<<1, 1>>>(out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    int counted;
    cudaMemcpyFromSymbol(&counted, n, sizeof counted);
    printf("%d %d %d %d %d, %d and %d, %d %d\n", found[0], found[1], found[2], found[3], counted, found[4], found[5],
           found[6], found[7]);
    cudaFree(out);
}
