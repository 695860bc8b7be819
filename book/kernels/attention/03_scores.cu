// finds: nothing; without barrier 1: Race
// launch: grid=(2, 2, 2), block=256, args=[*normal("float32", 3, 2, 100, 64)[:2], empty(2, 100, 100), 100]

constexpr int D = 64, TILE = 64;  // elements of a query or a key; queries and keys of a tile
constexpr int WIDE = D + 4;       // a row in shared memory: a float4 more, so that rows begin in other banks

// Queries or keys from number `first` on into a tile; zeros for those beyond n.
__device__ void load_tile(float* tile, int wide, const float* from, int first, int n)
{
    for (int i = 4 * threadIdx.x; i < TILE * D; i += 4 * blockDim.x) {
        float4 four = make_float4(0, 0, 0, 0);
        if (first + i / D < n) four = *(const float4*)&from[(size_t)first * D + i];
        *(float4*)&tile[i / D * wide + i % D] = four;
    }
}

__device__ float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// S = Q K^T / sqrt(D), for each head: a block computes 64 x 64 scores, a thread 4 x 4.
__global__ void scores(const float* Q, const float* K, float* S, int n)
{
    __shared__ __align__(16) float tile_Q[TILE * WIDE], tile_K[TILE * WIDE];
    int row = threadIdx.x / 16 * 4, col = threadIdx.x % 16;  // of the tile: rows row + i, columns col + 16 j
    size_t head = (size_t)blockIdx.z * n;                    // queries of the heads before
    load_tile(tile_Q, WIDE, Q + head * D, blockIdx.y * TILE, n);
    load_tile(tile_K, WIDE, K + head * D, blockIdx.x * TILE, n);
    __syncthreads();  // barrier 1: both tiles are whole

    float s[4][4] = {};
    for (int d = 0; d < D; d += 4) {
        float4 q[4], k[4];
        for (int i = 0; i < 4; ++i) q[i] = *(float4*)&tile_Q[(row + i) * WIDE + d];
        for (int j = 0; j < 4; ++j) k[j] = *(float4*)&tile_K[(col + 16 * j) * WIDE + d];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) s[i][j] += dot(q[i], k[j]);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int query = blockIdx.y * TILE + row + i, key = blockIdx.x * TILE + col + 16 * j;
            if (query < n && key < n) S[(head + query) * n + key] = s[i][j] * rsqrtf(D);
        }
}
