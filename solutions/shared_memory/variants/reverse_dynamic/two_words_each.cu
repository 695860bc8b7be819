// Keeps each number as the two words that it consists of, in two halves of the array.
__global__ void reverse_dynamic(double* d, int w)
{
    extern __shared__ int words[];
    int* high = words;
    int* low = words + w;
    double* row = d + blockIdx.x * w;

    for (int column = threadIdx.x; column < w; column += blockDim.x) {
        double number = row[column];
        high[column] = __double2hiint(number);
        low[column] = __double2loint(number);
    }
    __syncthreads();
    for (int column = threadIdx.x; column < w; column += blockDim.x)
        row[column] = __hiloint2double(high[w - 1 - column], low[w - 1 - column]);
}
