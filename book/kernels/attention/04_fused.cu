// finds: nothing; without barrier 1: Race; without barrier 2: Race; without barrier 3: Race
// launch: grid=(2, 2), block=256, shared_mem=68608, args=[*normal("float32", 3, 2, 100, 64), empty(2, 100, 64), 100]

constexpr int D = 64, TILE = 64;  // elements of a query, a key, a value; how many of them a tile has
constexpr int WIDE = D + 4;       // a row in shared memory: a float4 more, so that rows begin in other banks

// Queries, keys or values from number `first` on into a tile; zeros for those beyond n.
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

// O = softmax(Q K^T / sqrt(D)) V, for each head: a block computes 64 rows of O.
// It goes through keys and values once, 64 at a time; no score leaves the SM.
__global__ void attention(const float* Q, const float* K, const float* V, float* O, int n)
{
    extern __shared__ __align__(16) float tiles[];
    float *tile_Q = tiles, *tile_K = tile_Q + TILE * WIDE, *tile_P = tile_K + TILE * WIDE, *tile_V = tile_P + TILE * WIDE;
    int row = threadIdx.x / 16 * 4, col = threadIdx.x % 16;  // 16 lanes share four rows
    int query = blockIdx.x * TILE;
    size_t head = (size_t)blockIdx.y * n * D;
    load_tile(tile_Q, WIDE, Q + head, query, n);

    float largest[4], sum[4] = {};  // of each row's scores so far
    for (int i = 0; i < 4; ++i) largest[i] = -INFINITY;
    float4 o[4] = {};
    for (int first = 0; first < n; first += TILE) {
        load_tile(tile_K, WIDE, K + head, first, n);
        load_tile(tile_V, D, V + head, first, n);
        __syncthreads();  // barrier 1: the tiles are whole

        float s[4][4] = {};
        for (int d = 0; d < D; d += 4) {
            float4 q[4], k[4];
            for (int i = 0; i < 4; ++i) q[i] = *(float4*)&tile_Q[(row + i) * WIDE + d];
            for (int j = 0; j < 4; ++j) k[j] = *(float4*)&tile_K[(col + 16 * j) * WIDE + d];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) s[i][j] += dot(q[i], k[j]);
        }

        for (int i = 0; i < 4; ++i) {
            float before = largest[i];
            for (int j = 0; j < 4; ++j) {
                s[i][j] = first + col + 16 * j < n ? s[i][j] * rsqrtf(D) : -INFINITY;
                largest[i] = fmaxf(largest[i], s[i][j]);
            }
            for (int d = 8; d > 0; d /= 2)
                largest[i] = fmaxf(largest[i], __shfl_xor_sync(0xffffffff, largest[i], d));
            float scale = __expf(before - largest[i]);  // of all that was added up so far
            sum[i] *= scale;
            o[i].x *= scale, o[i].y *= scale, o[i].z *= scale, o[i].w *= scale;
            for (int j = 0; j < 4; ++j) {
                float p = __expf(s[i][j] - largest[i]);
                sum[i] += p;  // this lane's share of the row
                tile_P[(row + i) * WIDE + col + 16 * j] = p;
            }
        }
        __syncwarp();  // barrier 2: a warp reads only the rows of P that it wrote

        for (int k = 0; k < TILE; k += 4) {
            float4 p[4], v[4];
            for (int i = 0; i < 4; ++i) p[i] = *(float4*)&tile_P[(row + i) * WIDE + k];
            for (int j = 0; j < 4; ++j) v[j] = *(float4*)&tile_V[(k + j) * D + 4 * col];
            for (int i = 0; i < 4; ++i) {
                o[i].x += p[i].x * v[0].x + p[i].y * v[1].x + p[i].z * v[2].x + p[i].w * v[3].x;
                o[i].y += p[i].x * v[0].y + p[i].y * v[1].y + p[i].z * v[2].y + p[i].w * v[3].y;
                o[i].z += p[i].x * v[0].z + p[i].y * v[1].z + p[i].z * v[2].z + p[i].w * v[3].z;
                o[i].w += p[i].x * v[0].w + p[i].y * v[1].w + p[i].z * v[2].w + p[i].w * v[3].w;
            }
        }
        __syncthreads();  // barrier 3: everybody is done with the tiles
    }
    for (int i = 0; i < 4; ++i) {
        for (int d = 8; d > 0; d /= 2) sum[i] += __shfl_xor_sync(0xffffffff, sum[i], d);
        if (query + row + i < n)
            *(float4*)&O[head + (query + row + i) * D + 4 * col] =
                make_float4(o[i].x / sum[i], o[i].y / sum[i], o[i].z / sum[i], o[i].w / sum[i]);
    }
}
