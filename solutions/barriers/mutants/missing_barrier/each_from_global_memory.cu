// rejected by: uses_handed_over
// perhaps also: keeps_what_is_given
// "Each thread can work out for itself what its neighbors have." Nobody hands anything on, so nobody has to wait.
// Each block adds to every number its two neighbors in the block, twice.
__global__ void add_neighbors_twice(const int* in, int* out, int n)
{
    int tid = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    auto number = [&](int t) { return t >= 0 && t < blockDim.x && first + t < n ? in[first + t] : 0; };
    auto once = [&](int t) { return t >= 0 && t < blockDim.x ? number(t - 1) + number(t) + number(t + 1) : 0; };
    if (first + tid < n)
        out[first + tid] = once(tid - 1) + once(tid) + once(tid + 1);
}
