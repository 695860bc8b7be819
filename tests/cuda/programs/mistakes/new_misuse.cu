// line 4: new gives a pointer: declare *tmp, not tmp[]
__global__ void prefix(const int* in, int* out, int n)
{
    int tmp[] = new int[n];
    int sum = 0;
    for (int i = 0; i < n; i++) {
        tmp[i] = sum;
        sum += in[i];
    }
    for (int i = 0; i < n; i++) out[i] = tmp[i];
    delete[] tmp;
}
