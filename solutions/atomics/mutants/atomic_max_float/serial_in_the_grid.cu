// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
__device__ void atomic_max_float(float* address, float value, float seen)
{
    if (value > seen)
        *address = value;
}

// best[g] = the largest of what is there and the values of group g.
__global__ void largest_of_group(const float* values, const int* group, float* best, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; ++i)
            atomic_max_float(&best[group[i]], values[i], best[group[i]]);
}
