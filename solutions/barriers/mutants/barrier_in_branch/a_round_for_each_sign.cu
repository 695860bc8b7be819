// rejected by: reaches_every_barrier
// "Everyone passes the same barrier." But in another round of the loop: a compiler that unrolls it makes two of them.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int number = i < n ? in[i] : 0;

    for (int sign = 1; sign >= -1; sign -= 2)
        if ((number < 0) == (sign < 0)) {
            best[t] = sign * number;
            __syncthreads();
        }
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half && best[t + half] > best[t])
            best[t] = best[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = best[0];
}
