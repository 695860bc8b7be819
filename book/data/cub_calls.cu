// CUB's sum, scan and histogram for measure_memory_bound.py. As in CUB, a call without memory only says in `size`
// how many bytes it wants. Returns the error, 0 for none.
#include <cub/cub.cuh>

extern "C" int version()
{
    return CUB_VERSION;
}

extern "C" int sum(void* memory, size_t& size, const float* x, float* out, int n)
{
    return cub::DeviceReduce::Sum(memory, size, x, out, n);
}

extern "C" int scan(void* memory, size_t& size, const float* x, float* out, int n)
{
    return cub::DeviceScan::InclusiveSum(memory, size, x, out, n);
}

extern "C" int histogram(void* memory, size_t& size, const unsigned char* x, unsigned int* counts, int n)
{
    return cub::DeviceHistogram::HistogramEven(memory, size, x, counts, 257, 0, 256, n);
}
