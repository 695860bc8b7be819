// finds: nothing
// launch: grid=2, block=64, args=[ramp(256), empty(256)]

// Up a tree of partial sums and down again; the strides are powers of two.
__global__ void scan_blelloch(const float* in, float* out)
{
    __shared__ float tree[128];
    int t = threadIdx.x, first = 128 * blockIdx.x;

    tree[2 * t] = in[first + 2 * t];
    tree[2 * t + 1] = in[first + 2 * t + 1];
    for (int step = 1; step < 128; step *= 2) {
        __syncthreads();
        int i = 2 * step * (t + 1) - 1;
        if (i < 128) tree[i] += tree[i - step];
    }
    __syncthreads();
    if (t == 0) tree[127] = 0.0f;
    for (int step = 64; step > 0; step /= 2) {
        __syncthreads();
        int i = 2 * step * (t + 1) - 1;
        if (i < 128) {
            float left = tree[i - step];
            tree[i - step] = tree[i];
            tree[i] += left;
        }
    }
    __syncthreads();
    out[first + 2 * t] = tree[2 * t];
    out[first + 2 * t + 1] = tree[2 * t + 1];
}
