// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    if (threadIdx.x > 0)
        return;
    double* row = d + blockIdx.x * w;
    for (int column = 0; column < w / 2; ++column) {
        double kept = row[column];
        row[column] = row[w - 1 - column];
        row[w - 1 - column] = kept;
    }
}
