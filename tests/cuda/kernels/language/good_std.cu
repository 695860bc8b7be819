// kernel: k   grid: 1   block: 32
// args: x float32[32] arange, whole int32[4] poison
// expect: nothing
// check: x == np.minimum(np.arange(32), 8)[np.arange(32) ^ 3] + 3
// check: whole == [2147483647, -2147483648, 24, 1]
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0> __device__ T least()
{
    return std::numeric_limits<T>::lowest();
}

template <class T> __device__ std::conditional_t<std::is_signed_v<T>, int, float> one() { return 1; }

__global__ void k(float* x, int* whole)
{
    __shared__ float tile[32];
    int i = threadIdx.x;
    std::common_type_t<float, int> here = std::clamp(std::max(x[i], least<float>()), -1.0f, 8.0f);
    tile[i] = std::move(here);
    __syncthreads();
    if (i % 4 == 0) {
        using Two = typename std::aligned_storage<2 * sizeof(float), 2 * alignof(float)>::type;
        Two two = ((Two*)tile)[i / 2];
        ((Two*)tile)[i / 2] = ((Two*)tile)[i / 2 + 1];
        ((Two*)tile)[i / 2 + 1] = two;
        std::swap(tile[i], tile[i + 1]);
        std::swap(tile[i + 2], tile[i + 3]);
    }
    __syncthreads();
    x[i] = tile[i] + std::sqrt(4.0f) + std::abs(-1.0f);
    if (i == 0) {
        whole[0] = std::numeric_limits<int>::max();
        whole[1] = std::numeric_limits<int>::min();
        whole[2] = std::numeric_limits<float>::digits;
        whole[3] = std::is_same<decltype(one<int>()), int>::value && std::isinf(std::numeric_limits<float>::infinity());
    }
}
