// line 10: missing 'typename' prior to dependent type name 'Op::value_type'
struct Plus {
    using value_type = float;
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Op>
__device__ float fold(const float* x, int n, Op op)
{
    Op::value_type total = 0;
    for (int i = 0; i < n; i++) total = op(total, x[i]);
    return total;
}

__global__ void total(const float* x, float* out, int n)
{
    if (threadIdx.x == 0) *out = fold(x, n, Plus());
}
