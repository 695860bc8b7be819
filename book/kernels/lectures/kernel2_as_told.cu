// finds: Race
// launch: grid=1, block=128, args=[numbers("float64", 128), empty_int(128)]

// L2's overlapping arrays, 1024 bytes, used at the same time. L2 says itself that this is not OK.
__global__ void kernel2(const double* in, int* out)
{
    __shared__ union {
        int X[128];
        double Y[128];
    } buf;
    int i = threadIdx.x;

    buf.Y[i] = in[i];
    buf.X[i] = (int)buf.Y[i];
    out[i] = buf.X[i];
}
