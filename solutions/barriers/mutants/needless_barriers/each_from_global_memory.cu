// rejected by: uses_handed_over
// perhaps also: keeps_what_is_given, has_no_needless_barriers
// "Each thread can work out for itself what the others have." Nobody hands anything on, so nobody has to wait.
__device__ int own(const int* a, const int* b, int first, int t, int n, int rounds)
{
    // After some rounds, a number is a sum of its right neighbors, each as often as there are ways to it.
    int sum = b[first + n - 1 - t];
    int ways = 1;
    for (int far = 0; far <= rounds; ++far) {
        sum += ways * a[first + (t + far) % n];
        ways = ways * (rounds - far) / (far + 1);
    }
    return sum;
}

__global__ void add_others(const int* a, const int* b, int* out, int rounds)
{
    int t = threadIdx.x;
    int n = blockDim.x;
    int first = blockIdx.x * n;
    int result = own(a, b, first, t, n, rounds);
    if (t >= 32) {
        result += own(a, b, first, t - 32, n, rounds);
    }
    out[first + t] = result;
}
