// line 10: no constructor runs for a __shared__ variable, and its type has one that does something: leave that out, and let threads fill the variable in the kernel
struct Pair {
    int key;
    float value;
    __device__ Pair() : key(-1), value(0) {}
};

__global__ void best(const float* in, float* out)
{
    __shared__ Pair pairs[64];
    int t = threadIdx.x;
    pairs[t].value = in[t];
    out[t] = pairs[t].value;
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 512);
    best<<<1, 64>>>(x, x + 64);
    cudaDeviceSynchronize();
    cudaFree(x);
}
