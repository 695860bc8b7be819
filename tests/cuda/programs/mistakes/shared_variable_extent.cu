// line 4: the size of an array must be a constant, known to the compiler; extern __shared__ takes an array without a size, such as tile[]; the launch gives the size
__global__ void reverse(float* x, int n)
{
    __shared__ float tile[n];
    int i = threadIdx.x;
    tile[i] = x[i];
    __syncthreads();
    x[i] = tile[n - 1 - i];
}
