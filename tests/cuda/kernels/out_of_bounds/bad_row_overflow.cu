// kernel: rows   grid: 1   block: 32
// args: out float32[16] poison
// expect: OutOfBounds lines=1 array=tile space=shared shape=3,16 extent=16 dimension=1 thread=16,0,0
__global__ void rows(float* out)
{
    __shared__ float tile[3][16];
    // tile[1][16] is inside the array, but it is tile[2][0].
    tile[1][threadIdx.x] = 1.0f;                  // (1)
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = tile[1][threadIdx.x];
}
