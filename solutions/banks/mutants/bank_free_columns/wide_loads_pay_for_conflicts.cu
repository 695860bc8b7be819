// rejected by: has_no_bank_conflicts
// Eight lanes want each bank. They read at eight places of the text, and the first lane of each warp reads wide numbers
// besides, which nobody needs.
template <int GROUP> __device__ int load(int group, const volatile int* from)
{
    if constexpr (GROUP < 8)
        return group == GROUP ? *from : load<GROUP + 1>(group, from);
    return 0;
}

__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int here = min((int)blockDim.x, rows - first);

    for (int j = t; j < 32 * here; j += blockDim.x)
        rows_here[j] = in[32 * first + j];
    __syncthreads();
    if (t < here) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += load<0>(t % 32 / 4, &rows_here[32 * t + (t % 4 + k) % 32]);
        volatile int kept;
        for (int k = 0; k < 62 && t % 32 == 0; ++k) {
            int4 four = *(const int4*)&rows_here[32 * t];
            kept = four.x;
        }
        out[first + t] = sum;
    }
}
