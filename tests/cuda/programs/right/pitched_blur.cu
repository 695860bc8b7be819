// prints: pitch 512, blurred 4 of 4 corners and 0 wrong
// An image with a pitch, filtered by weights in constant memory, in two dimensions.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int RADIUS = 1, SIZE = 2 * RADIUS + 1;
__constant__ float weights[SIZE][SIZE];

__global__ void blur(const float* in, float* out, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
            const float* row = (const float*)((const char*)in + v * pitch);
            sum += weights[dy + RADIUS][dx + RADIUS] * row[u];
        }
    ((float*)((char*)out + y * pitch))[x] = sum;
}

int main() {
    const int width = 100, height = 37;
    std::vector<float> image(width * height), result(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) image[y * width + x] = float((x * 7 + y * 3) % 11);
    float host_weights[SIZE][SIZE];
    for (auto& row : host_weights)
        for (float& weight : row) weight = 1.0f / (SIZE * SIZE);
    cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);

    float *in, *out;
    size_t pitch, out_pitch;
    cudaMallocPitch(&in, &pitch, width * sizeof(float), height);
    cudaMallocPitch(&out, &out_pitch, width * sizeof(float), height);
    cudaMemcpy2D(in, pitch, image.data(), width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyHostToDevice);
    dim3 block(32, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    blur<<<grid, block>>>(in, out, pitch, width, height);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaMemcpy2D(result.data(), width * sizeof(float), out, out_pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    int wrong = 0, corners = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float expected = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int u = std::min(std::max(x + dx, 0), width - 1), v = std::min(std::max(y + dy, 0), height - 1);
                    expected += image[v * width + u] / 9;
                }
            bool right = std::fabs(result[y * width + x] - expected) < 1e-4f;
            wrong += !right;
            corners += right && (x == 0 || x == width - 1) && (y == 0 || y == height - 1);
        }
    printf("pitch %zu, blurred %d of 4 corners and %d wrong\n", pitch, corners, wrong);
    cudaFree(in);
    cudaFree(out);
}
