#include "neighbor.cuh"

__global__ void shift(int* x) {
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = left_of(tile);
}
__global__ void next(const int* x, int* out) { out[threadIdx.x] = past(x, threadIdx.x); }
__global__ void local(int* out) { out[threadIdx.x % 4] = kept(threadIdx.x); }
__global__ void count() {
    turns += 1;
}
__global__ void bytes(int* out) { *out = moved(1); }
__global__ void sum(double* out) {
    extern __shared__ double room[];
    room[0] = 1;
    *out = room[0];
}

int main(int argc, char** argv) {
    int *x, *out;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(x, 0, 64 * sizeof *x);
    switch (argv[1][0]) {
        case 's': shift<<<1, 64>>>(x); break;
        case 'n': next<<<1, 64>>>(x, out); break;
        case 'l': local<<<1, 5>>>(out); break;
        case 'c': count<<<2, 1>>>(); break;
        case 'b': bytes<<<1, 1>>>(out); break;
        case 'f': fill<<<1, 1, 16>>>(4); break;
        default: sum<<<1, 1, 8>>>((double*)out);
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
}
