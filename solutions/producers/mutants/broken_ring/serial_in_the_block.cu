// rejected by: shares_the_work
// Thread 0 does it all.
#include <climits>

__global__ void columns(const int* in, int* sums, int* largest, int n)
{
    __shared__ int row[32];
    if (threadIdx.x > 0)
        return;
    for (int c = 0; c < 32; ++c) {
        sums[c] = 0;
        largest[c] = INT_MIN;
    }
    for (int first = 0; first < n; first += 32) {
        for (int c = 0; c < 32; ++c)
            row[c] = first + c < n ? in[first + c] : INT_MIN;
        for (int c = 0; c < 32; ++c) {
            if (first + c < n)
                sums[c] += row[c];
            largest[c] = max(largest[c], row[c]);
        }
    }
}
