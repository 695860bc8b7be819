// prints: 33 rows of 50 are right
#include <cstdio>

__global__ void fill(char* image, size_t pitch, int width) {
    float* row = (float*)(image + blockIdx.x * pitch);
    if (threadIdx.x < width) row[threadIdx.x] = blockIdx.x * 100.0f + threadIdx.x;
}

int main() {
    const int width = 50, height = 33;
    static float host[height][width];
    char* image;
    size_t pitch;
    cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
    cudaMemset2D(image, pitch, 0, width * sizeof(float), height);
    fill<<<height, 64>>>(image, pitch, width);
    cudaMemcpy2D(host, sizeof host[0], image, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost);
    int rows = 0;
    for (int y = 0; y < height; y++) {
        bool right = true;
        for (int x = 0; x < width; x++) right &= host[y][x] == y * 100.0f + x;
        rows += right;
    }
    printf("%d rows of %d are right\n", rows, width);
    cudaFree(image);
}
