// rejected by: shares_the_work
// One thread in eight loads eight numbers, and the others wait for it.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;
    int count = min((int)blockDim.x, n - start);
    __shared__ __align__(16) int tile[256];
    int e = count / 8;
    if (t < e) {
        int4* from = (int4*)(d + start) + 2 * t; int4* to = (int4*)tile + 2 * t;
        to[0] = from[0]; to[1] = from[1];
    } else if (t < e + count % 8) { int k = 8 * e + t - e; tile[k] = d[start + k]; }
    __syncthreads();
    if (t < count) d[start + t] = tile[count - 1 - t];
}
