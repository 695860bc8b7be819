// finds: HostPointer, line 7
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

int main() {
    static int host[32];
    int* x = host;
    add_one<<<1, 32>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
