// finds: Race
// launch: grid=2, block=128, args=[numbers('int32', 250) % 64, zeros('int32', 64), 250]

// The same with a plain increment: additions are lost.
__global__ void histogram(const int* x, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) bins[x[i]]++;
}
