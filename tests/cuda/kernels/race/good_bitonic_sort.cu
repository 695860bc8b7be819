// kernel: sort   grid: 1   block: 256
// args: data int32[256] random
// expect: nothing
// check: data == np.sort(data)
__global__ void sort(int* data)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int old = s[t];
                s[t] = s[other];
                s[other] = old;
            }
            __syncthreads();
        }
    data[t] = s[t];
}
