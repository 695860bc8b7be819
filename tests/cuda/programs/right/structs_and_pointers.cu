// prints: list 1 2 3, area 12
#include <cstdio>

struct Node {
    int value;
    Node* next;
};
struct Box {
    float width, height;
    __host__ __device__ float area() const { return width * height; }
};

__global__ void walk(const Node* first, int* out) {
    for (const Node* node = first; node; node = node->next) *out++ = node->value;
}
__global__ void measure(Box box, float* out) { *out = box.area(); }

int main() {
    Node nodes[3], *gpu;
    int *values, host[3];
    float *area, found;
    cudaMalloc(&gpu, sizeof nodes);
    cudaMalloc(&values, sizeof host);
    cudaMalloc((void**)&area, sizeof(float));
    for (int i = 0; i < 3; i++) nodes[i] = {i + 1, i < 2 ? gpu + i + 1 : nullptr};
    cudaMemcpy(gpu, nodes, sizeof nodes, cudaMemcpyDefault);
    walk<<<1, 1>>>(gpu, values);
    measure<<<1, 1>>>(Box{3.0f, 4.0f}, area);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&found, area, sizeof found, cudaMemcpyDeviceToHost);
    printf("list %d %d %d, area %g\n", host[0], host[1], host[2], found);
    cudaFree(gpu);
    cudaFree(values);
    cudaFree(area);
}
