__device__ int limit = 3;
__global__ void run(int* x) { *x = limit; }
int main() {
    run<<<1, 1>>>(nullptr);
}
