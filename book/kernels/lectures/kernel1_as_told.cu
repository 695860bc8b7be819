// finds: UninitializedRead
// launch: grid=1, block=128, args=[empty_int(128)]

// L2's separate arrays, as told: nobody has written Y. (i and out are added; L2 has neither.)
__global__ void kernel1(int* out)
{
    __shared__ int X[128];
    __shared__ double Y[128];
    int i = threadIdx.x;

    X[i] = (int)Y[i];
    out[i] = X[i];
}
