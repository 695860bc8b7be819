// finds: Race, line 18
// Three launches that differ in a template's argument alone are still three places.
template <int SIZE> __global__ void sum(const float* in, float* out) {
    int row = threadIdx.y;
    float own = in[row * SIZE + threadIdx.x];
    for (int i = SIZE / 2; i > 0; i /= 2) own += __shfl_down_sync(~0u, own, i, SIZE);
    if (SIZE < 16 || threadIdx.x == 0) out[row] = own;
}

int main(int count, char**) {
    float *in, *out;
    cudaMalloc(&in, 512), cudaMalloc(&out, 128);
    cudaMemset(in, 0, 512);
    dim3 block(8 * count, 4 / count);
    for (int size = 8 * count; size == 8 * count; size--) {
        if (size == 32) sum<32><<<1, block>>>(in, out);
        else if (size == 16) sum<16><<<1, block>>>(in, out);
        else if (size == 8) sum<8><<<1, block>>>(in, out);
        else sum<4><<<1, block>>>(in, out);
    }
    if (cudaDeviceSynchronize()) return 2;
    cudaFree(in);
    return cudaFree(out);
}
