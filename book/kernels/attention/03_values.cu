// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 2), block=256, args=[normal("float32", 2, 100, 100), normal("float32", 2, 100, 64), empty(2, 100, 64), 100]

constexpr int D = 64, TILE = 64;  // elements of a value; queries and values of a tile
constexpr int WIDE = TILE + 4;    // a row of weights in shared memory

// O = P V, for each head: a block computes 64 rows of O, in phases of 64 keys,
// a thread 4 x 4 elements.
__global__ void weigh_values(const float* P, const float* V, float* O, int n)
{
    __shared__ __align__(16) float tile_P[TILE * WIDE], tile_V[TILE * D];
    int row = threadIdx.x / 16 * 4, col = threadIdx.x % 16 * 4;
    int query = blockIdx.x * TILE;
    P += ((size_t)blockIdx.y * n + query) * n;
    V += (size_t)blockIdx.y * n * D;
    O += ((size_t)blockIdx.y * n + query) * D;

    float4 o[4] = {};
    for (int first = 0; first < n; first += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += blockDim.x) {
            int r = i / TILE, c = i % TILE;
            tile_P[r * WIDE + c] = query + r < n && first + c < n ? P[(size_t)r * n + first + c] : 0.0f;
            tile_V[i] = first + r < n ? V[(size_t)first * D + i] : 0.0f;
        }
        __syncthreads();  // barrier 1: both tiles are whole

        for (int k = 0; k < TILE; k += 4) {
            float4 p[4], v[4];
            for (int i = 0; i < 4; ++i) p[i] = *(float4*)&tile_P[(row + i) * WIDE + k];
            for (int j = 0; j < 4; ++j) v[j] = *(float4*)&tile_V[(k + j) * D + col];
            for (int i = 0; i < 4; ++i) {
                o[i].x += p[i].x * v[0].x + p[i].y * v[1].x + p[i].z * v[2].x + p[i].w * v[3].x;
                o[i].y += p[i].x * v[0].y + p[i].y * v[1].y + p[i].z * v[2].y + p[i].w * v[3].y;
                o[i].z += p[i].x * v[0].z + p[i].y * v[1].z + p[i].z * v[2].z + p[i].w * v[3].z;
                o[i].w += p[i].x * v[0].w + p[i].y * v[1].w + p[i].z * v[2].w + p[i].w * v[3].w;
            }
        }
        __syncthreads();  // barrier 2: everybody is done with the tiles
    }
    for (int i = 0; i < 4; ++i)
        if (query + row + i < n) *(float4*)&O[(row + i) * D + col] = o[i];
}
