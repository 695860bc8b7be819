extern __device__ int seen;
int main() {
    int x = 3;
    return cudaMemcpyToSymbol(seen, &x, sizeof x);
}
