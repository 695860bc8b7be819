// finds: nothing
// launch: grid=1, block=128, args=[numbers("float64", 128), empty_int(128)]

// L2's overlapping arrays, used one after the other.
__global__ void kernel2(const double* in, int* out)
{
    __shared__ union {
        int X[128];
        double Y[128];
    } buf;
    int i = threadIdx.x;

    buf.Y[i] = in[i];
    int whole = (int)buf.Y[i];
    __syncthreads();  // all of Y has been read before any of X is written over it
    buf.X[i] = whole;
    out[i] = buf.X[i];
}
