// finds: UninitializedRead, line 13
// says: Thread 0 of block 1 reads image[25], which nobody has written
// says: cudaMemcpy2D in line 12 has written 400 bytes of 2,048
__global__ void brighten(float* image, int width) { image[blockIdx.x * width + threadIdx.x] += 1; }

int main() {
    const int width = 25, height = 4;
    float host[height][width] = {}, *image;
    const int bytes = width * sizeof(float);
    size_t pitch;
    cudaMallocPitch(&image, &pitch, bytes, height);
    cudaMemcpy2D(image, pitch, host, bytes, bytes, height, cudaMemcpyHostToDevice);
    brighten<<<height, width>>>(image, width);
    cudaMemcpy2D(host, bytes, image, pitch, bytes, height, cudaMemcpyDeviceToHost);
    cudaFree(image);
}
