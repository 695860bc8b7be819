// kernel: multiply   grid: 1   block: 32
// args: out float32[256] poison
// expect: ForbiddenCode lines=1 construct=nvcuda
__global__ void multiply(float* out)
{
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c; // (1)
}
