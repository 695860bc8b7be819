// kernel: convert   grid: 1   block: 1
// args: in int32[4] arange, out float32[4] poison, other int32[1] poison
// expect: nothing
// check: out == in_ + np.array([1, 0, 0, 0])
// check: other == -in_[:1] - 7
// A member template of what parameters decide is called without the `template` of C++, as nvcc takes it.
template <typename To, typename From> struct Cast {
    static constexpr int limit = 3;
    template <int n> __device__ static void apply(To* out, const From* in)
    {
        for (int i = 0; i < n; i++) out[i] = To(in[i]);
    }
};
template <> template <> __device__ void Cast<int, int>::apply<1>(int* out, const int* in)
{
    out[0] = -in[0] - 7;
}
template <typename To, typename From, int n> __device__ void all(To* out, const From* in)
{
    Cast<To, From>::apply<n>(out, in);
    if (Cast<To, From>::limit < n) out[0] += 1;
}
__global__ void convert(const int* in, float* out, int* other)
{
    all<float, int, 4>(out, in);
    all<int, int, 1>(other, in);
}
