// prints: 7 265
#include <cstdio>

enum class Place { Shared, Global };
namespace deep {
enum Kind : unsigned char { first, second = 200 };
}

template <Place place, deep::Kind kind, char letter> __global__ void which(int* out) {
    *out = place == Place::Global ? int(7) : kind + letter;
}

int main() {
    int *out, got[2];
    cudaMalloc(&out, sizeof(int));
    which<Place::Global, deep::second, 'A'><<<1, 1>>>(out);
    cudaMemcpy(got, out, sizeof(int), cudaMemcpyDeviceToHost);
    which<Place::Shared, deep::second, 'A'><<<1, 1>>>(out);
    cudaMemcpy(got + 1, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", got[0], got[1]);
    cudaFree(out);
}
