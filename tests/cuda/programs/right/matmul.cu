// prints: 64 x 48 x 80: largest error 0, tiles of 16
// A tiled matrix product, measured by events, with a struct of matrices and rows of shared memory that are padded.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#define TILE 16
#define cudaCheck(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

typedef struct {
    int width, height, stride;
    float* elements;
} Matrix;

__device__ float get(const Matrix m, int row, int col) {
    return row < m.height && col < m.width ? m.elements[row * m.stride + col] : 0.0f;
}

__global__ void multiply(Matrix a, Matrix b, Matrix c) {
    __shared__ float as[TILE][TILE + 1], bs[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < a.width; k += TILE) {
        as[threadIdx.y][threadIdx.x] = get(a, row, k + threadIdx.x);
        bs[threadIdx.y][threadIdx.x] = get(b, k + threadIdx.y, col);
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < c.height && col < c.width) c.elements[row * c.stride + col] = sum;
}

static Matrix on_gpu(const Matrix m) {
    Matrix out = m;
    size_t size = m.width * m.height * sizeof(float);
    cudaCheck(cudaMalloc(&out.elements, size));
    cudaCheck(cudaMemcpy(out.elements, m.elements, size, cudaMemcpyDefault));
    return out;
}

static Matrix on_host(int height, int width, unsigned seed) {
    Matrix m = {width, height, width, (float*)malloc(width * height * sizeof(float))};
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> small(-4, 4);
    for (int i = 0; i < width * height; i++) m.elements[i] = float(small(random));
    return m;
}

int main() {
    Matrix a = on_host(64, 80, 1), b = on_host(80, 48, 2), c = on_host(64, 48, 3);
    Matrix d_a = on_gpu(a), d_b = on_gpu(b), d_c = on_gpu(c);
    cudaEvent_t start, stop;
    cudaCheck(cudaEventCreate(&start));
    cudaCheck(cudaEventCreate(&stop));
    dim3 block(TILE, TILE), grid((c.width + TILE - 1) / TILE, (c.height + TILE - 1) / TILE);
    auto before = std::chrono::steady_clock::now();
    cudaCheck(cudaEventRecord(start));
    multiply<<<grid, block>>>(d_a, d_b, d_c);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaEventRecord(stop));
    cudaCheck(cudaEventSynchronize(stop));
    float milliseconds;
    cudaCheck(cudaEventElapsedTime(&milliseconds, start, stop));
    if (milliseconds < 0 || std::chrono::steady_clock::now() < before) return 1;
    cudaCheck(cudaMemcpy(c.elements, d_c.elements, c.width * c.height * sizeof(float), cudaMemcpyDeviceToHost));
    float worst = 0;
    for (int i = 0; i < c.height; i++)
        for (int j = 0; j < c.width; j++) {
            float sum = 0;
            for (int k = 0; k < a.width; k++) sum += a.elements[i * a.stride + k] * b.elements[k * b.stride + j];
            worst = std::max(worst, std::fabs(sum - c.elements[i * c.stride + j]));
        }
    printf("%d x %d x %d: largest error %g, tiles of %d\n", c.height, c.width, a.width, worst, TILE);
    for (Matrix* m : {&d_a, &d_b, &d_c}) cudaCheck(cudaFree(m->elements));
    cudaCheck(cudaEventDestroy(start));
    cudaCheck(cudaEventDestroy(stop));
    free(a.elements), free(b.elements), free(c.elements);
}
