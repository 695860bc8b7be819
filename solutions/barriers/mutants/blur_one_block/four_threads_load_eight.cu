// rejected by: loads_at_most
// "A load of two numbers counts once." So four threads load eight numbers, two of them for each of their neighbors, and
// hand them on by shuffles.
__global__ void blur_one_block(const double* in, double* out, int n)
{
    int t = threadIdx.x, rank = t % 4;
    int from = t + rank - 2;
    double2 both = {};
    if (from >= 0 && from + 1 < n)
        both = *(const double2*)&in[from];
    else if (from >= 0 && from < n)
        both.x = in[from];

    double near[3];
    for (int k = 0; k < 3; ++k) {
        int place = rank + 1 + k;       // counted from two numbers before those of the four threads
        double even = __shfl_sync(__activemask(), both.x, place / 2, 4);
        double odd = __shfl_sync(__activemask(), both.y, place / 2, 4);
        near[k] = place % 2 ? odd : even;
    }
    if (t < n)
        out[t] = t == 0 || t == n - 1 ? near[1] : 0.25 * (near[0] + 2 * near[1] + near[2]);
}
