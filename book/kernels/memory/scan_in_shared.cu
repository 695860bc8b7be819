// finds: nothing
// launch: grid=3, block=256, args=[ramp(9000), empty(9000), zeros("uint64", 4), 9000]

constexpr int THREADS = 256, EACH = 16, TILE = THREADS * EACH;
// What a block says of its tile: nothing yet, the sum of the tile, or the sum of all up to its end.
constexpr unsigned int NOTHING = 0, OWN = 1, WHOLE = 2;

__device__ unsigned long long packed(unsigned int what, float sum)
{
    return (unsigned long long)what << 32 | __float_as_uint(sum);
}

// The sum of mine over the lanes up to and including this one.
__device__ float scan_warp(float mine, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        float other = __shfl_up_sync(~0u, mine, distance);
        if (lane >= distance) mine += other;
    }
    return mine;
}

// out[i] = in[0] + ... + in[i], in one pass over memory. A block for each tile of TILE elements; said has
// one element more than there are tiles, all 0: the first hands out the tiles, the others are the tiles'.
__global__ void scan_in_shared(const float* in, float* out, unsigned long long* said, int n)
{
    __shared__ float4 tile[TILE / 4];
    __shared__ float of_warps[THREADS / 32], before;
    __shared__ int number;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    // Tiles are handed out in the order in which blocks begin: the tiles before this one are all with
    // blocks that run already, so that waiting for them ends.
    if (thread == 0) number = (int)atomicAdd(&said[0], 1ull);
    __syncthreads();  // the number is known to all
    int first = number * TILE;
    unsigned long long* mine = said + 1 + number;

    // Neighboring lanes load neighboring words; each thread then owns EACH words in a row.
    float* words = (float*)tile;
    if (first + TILE <= n) {
        const float4* from = (const float4*)(in + first);
        #pragma unroll
        for (int i = 0; i < EACH / 4; ++i) tile[thread + i * THREADS] = from[thread + i * THREADS];
    } else {
        for (int i = thread; i < TILE; i += THREADS) words[i] = first + i < n ? in[first + i] : 0.0f;
    }
    __syncthreads();  // the tile is whole
    float v[EACH];
    #pragma unroll
    for (int i = 0; i < EACH / 4; ++i) {
        float4 four = tile[thread * (EACH / 4) + i];
        v[4 * i] = four.x;
        v[4 * i + 1] = four.y;
        v[4 * i + 2] = four.z;
        v[4 * i + 3] = four.w;
    }
    #pragma unroll
    for (int i = 1; i < EACH; ++i) v[i] += v[i - 1];
    float to_here = scan_warp(v[EACH - 1], lane);
    if (lane == 31) of_warps[warp] = to_here;
    __syncthreads();  // every warp's sum is there
    float sum = 0.0f, left = 0.0f;
    for (int w = 0; w < THREADS / 32; ++w) {
        if (w == warp) left = sum;
        sum += of_warps[w];
    }

    // The first warp says what this tile's sum is, and then looks back, 32 tiles at a time, until it
    // meets one that knows the sum of all before it. Word and sum are one 64-bit value: never torn.
    if (warp == 0) {
        if (lane == 0) atomicExch(mine, packed(number == 0 ? WHOLE : OWN, sum));
        float behind = 0.0f;
        for (int back = number - 1; back >= 0;) {
            int other = back - lane;
            unsigned long long word = packed(WHOLE, 0.0f);  // before the first tile there is nothing
            if (other >= 0) do word = atomicAdd(&said[1 + other], 0ull); while (word >> 32 == NOTHING);
            unsigned int whole = __ballot_sync(~0u, word >> 32 == WHOLE);
            int nearest = whole ? __ffs(whole) - 1 : 31;
            float part = lane <= nearest ? __uint_as_float((unsigned int)word) : 0.0f;
            for (int distance = 16; distance > 0; distance /= 2) part += __shfl_xor_sync(~0u, part, distance);
            behind += part;
            back = whole ? -1 : back - 32;
        }
        if (lane == 0) {
            before = behind;
            if (number > 0) atomicExch(mine, packed(WHOLE, behind + sum));
        }
    }
    __syncthreads();  // what is before this tile is known to all
    float add = before + left + to_here - v[EACH - 1];
    #pragma unroll
    for (int i = 0; i < EACH / 4; ++i) {
        const float* four = &v[4 * i];
        tile[thread * (EACH / 4) + i] = make_float4(four[0] + add, four[1] + add, four[2] + add, four[3] + add);
    }
    __syncthreads();  // the sums lie in order, to be stored as they were loaded
    if (first + TILE <= n) {
        float4* to = (float4*)(out + first);
        #pragma unroll
        for (int i = 0; i < EACH / 4; ++i) to[thread + i * THREADS] = tile[thread + i * THREADS];
    } else {
        for (int i = thread; first + i < n && i < TILE; i += THREADS) out[first + i] = words[i];
    }
}
