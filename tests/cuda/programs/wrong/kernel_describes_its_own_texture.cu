// finds: Crash, line 15
// Only the host makes texture objects.
__global__ void reads(const int* in, int* description, int* out)
{
    int described[16] = {4, 1, 4, 1, 1, 0, 1, 1, 1, 0, 0, 16};
    for (int i = 0; i < 12; ++i) description[i] = described[i];
    *(long*)(description + 12) = (const char*)in - (const char*)description;
    for (int i = 0; i < 4; ++i) out[i] = tex1Dfetch<int>((cudaTextureObject_t)description, i);
}

int main() {
    int* memory;
    cudaMalloc(&memory, 1024);
    cudaMemset(memory, 0, 1024);
    reads<<<1, 1>>>(memory, memory + 64, memory + 128);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(memory);
    return error ? 1 : 0;
}
