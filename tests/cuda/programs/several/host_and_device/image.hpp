#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Image {
public:
    Image(int width, int height);
    ~Image();
    Image(Image&&) noexcept;
    Image(const Image&) = delete;
    void fill(float value);
    void blur();
    std::vector<float> pixels() const;
    int size() const;

private:
    struct OnGpu;
    std::unique_ptr<OnGpu> gpu;
};

struct GpuError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Index {
    int x, y;
    BOTH int at(int width) const { return y * width + x; }
    BOTH bool inside(int width, int height) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

enum class Edge { clamp, zero };
