// kernel: merge   grid: 2   block: 16
// args: a int32[32] arange, b int32[32] arange, out int32[64] poison
// expect: nothing
// check: out == np.repeat(np.arange(32), 2)
__global__ void merge(const int* a, const int* b, int* out)
{
    int diagonal = 2 * (blockIdx.x * 16 + threadIdx.x);
    int low = diagonal > 32 ? diagonal - 32 : 0, high = diagonal < 32 ? diagonal : 32;
    while (low < high) {
        int mid = (low + high) / 2;
        if (a[mid] <= b[diagonal - 1 - mid]) low = mid + 1;
        else high = mid;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 2; k++)
        out[diagonal + k] = j >= 32 || (i < 32 && a[i] <= b[j]) ? a[i++] : b[j++];
}
