#include "image.hpp"

namespace {

void check(cudaError_t error, const char* what)
{
    if (error != cudaSuccess) throw GpuError(std::string(what) + ": " + cudaGetErrorString(error));
}

__constant__ float weights[3][3];

template <Edge edge> __global__ void blur_3x3(float* out, const float* in, int width, int height)
{
    const Index here{int(blockIdx.x * blockDim.x + threadIdx.x), int(blockIdx.y * blockDim.y + threadIdx.y)};
    if (!here.inside(width, height)) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const Index there{here.x + dx, here.y + dy};
            if (there.inside(width, height))
                sum += weights[dy + 1][dx + 1] * in[there.at(width)];
            else if constexpr (edge == Edge::clamp)
                sum += weights[dy + 1][dx + 1] * in[here.at(width)];
        }
    out[here.at(width)] = sum;
}

__global__ void fill_all(float* out, float value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = value + i % 3;
}

} // namespace

struct Image::OnGpu {
    int width, height;
    float *pixels = nullptr, *other = nullptr;
    OnGpu(int w, int h) : width(w), height(h)
    {
        const float all[3][3] = {{0, 1, 0}, {1, 4, 1}, {0, 1, 0}};
        check(cudaMemcpyToSymbol(weights, all, sizeof all), "weights");
        check(cudaMalloc(&pixels, bytes()), "pixels");
        check(cudaMalloc(&other, bytes()), "other");
    }
    ~OnGpu()
    {
        cudaFree(pixels);
        cudaFree(other);
    }
    size_t bytes() const { return sizeof(float) * width * height; }
};

Image::Image(int width, int height) : gpu(std::make_unique<OnGpu>(width, height)) {}
Image::~Image() = default;
Image::Image(Image&&) noexcept = default;
int Image::size() const { return gpu->width * gpu->height; }

void Image::fill(float value)
{
    fill_all<<<2, 32>>>(gpu->pixels, value, size());
    check(cudaGetLastError(), "fill");
}

void Image::blur()
{
    const dim3 block(8, 4), grid((gpu->width + 7) / 8, (gpu->height + 3) / 4);
    blur_3x3<Edge::clamp><<<grid, block>>>(gpu->other, gpu->pixels, gpu->width, gpu->height);
    check(cudaGetLastError(), "blur");
    std::swap(gpu->other, gpu->pixels);
}

std::vector<float> Image::pixels() const
{
    std::vector<float> result(size());
    check(cudaMemcpy(result.data(), gpu->pixels, gpu->bytes(), cudaMemcpyDeviceToHost), "pixels");
    return result;
}
