// finds: nothing
// launch: grid=3, block=256, args=[ramp(17001), empty(17001), zeros("uint64", 4), 17001]

constexpr int THREADS = 256, WARPS = THREADS / 32, FOURS = 8, TILE = THREADS * FOURS * 4;
// What a block says of its tile: nothing yet, the sum of the tile, or the sum of all up to its end.
constexpr unsigned int NOTHING = 0, OWN = 1, WHOLE = 2;

__device__ unsigned long long packed(unsigned int what, float sum)
{
    return (unsigned long long)what << 32 | __float_as_uint(sum);
}

// out[i] = in[0] + ... + in[i], in one pass over memory. A block for each tile of TILE elements; said has
// one element more than there are tiles, all 0: the first hands out the tiles, the others are the tiles'.
__global__ void scan(const float* in, float* out, unsigned long long* said, int n)
{
    __shared__ float of_warps[WARPS], before;
    __shared__ int number;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    // Tiles are handed out in the order in which blocks begin: the tiles before this one are all with
    // blocks that run already, so that waiting for them ends.
    if (thread == 0) number = (int)atomicAdd(&said[0], 1ull);
    __syncthreads();  // the number is known to all
    unsigned long long* mine = said + 1 + number;

    // A warp has 32 * FOURS * 4 elements in a row; in each of FOURS rounds, its lanes load four neighbors each.
    // They stay in registers from here to the end.
    int first = number * TILE + (warp * FOURS * 32 + lane) * 4;
    bool whole = (number + 1) * TILE <= n;
    float4 v[FOURS];
    #pragma unroll
    for (int i = 0; i < FOURS; ++i) {
        int at = first + i * 128;
        if (whole) {
            v[i] = *(const float4*)&in[at];
        } else {
            v[i].x = at < n ? in[at] : 0.0f;
            v[i].y = at + 1 < n ? in[at + 1] : 0.0f;
            v[i].z = at + 2 < n ? in[at + 2] : 0.0f;
            v[i].w = at + 3 < n ? in[at + 3] : 0.0f;
        }
    }

    // Within the four; then over the lanes, all rounds at a time, since none needs another.
    float to_here[FOURS];
    #pragma unroll
    for (int i = 0; i < FOURS; ++i) {
        v[i].y += v[i].x;
        v[i].z += v[i].y;
        v[i].w += v[i].z;
        to_here[i] = v[i].w;
    }
    #pragma unroll
    for (int distance = 1; distance < 32; distance *= 2)
        #pragma unroll
        for (int i = 0; i < FOURS; ++i) {
            float other = __shfl_up_sync(~0u, to_here[i], distance);
            if (lane >= distance) to_here[i] += other;
        }
    float of_rounds = 0.0f, add[FOURS];  // what the warp has before a lane's four, in each round
    #pragma unroll
    for (int i = 0; i < FOURS; ++i) {
        add[i] = of_rounds + to_here[i] - v[i].w;
        of_rounds += __shfl_sync(~0u, to_here[i], 31);
    }
    if (lane == 0) of_warps[warp] = of_rounds;
    __syncthreads();  // every warp's sum is there
    float sum = 0.0f, left = 0.0f;
    for (int w = 0; w < WARPS; ++w) {
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
            unsigned int known = __ballot_sync(~0u, word >> 32 == WHOLE);
            int nearest = known ? __ffs(known) - 1 : 31;
            float part = lane <= nearest ? __uint_as_float((unsigned int)word) : 0.0f;
            for (int distance = 16; distance > 0; distance /= 2) part += __shfl_xor_sync(~0u, part, distance);
            behind += part;
            back = known ? -1 : back - 32;
        }
        if (lane == 0) {
            before = behind;
            if (number > 0) atomicExch(mine, packed(WHOLE, behind + sum));
        }
    }
    __syncthreads();  // what is before this tile is known to all

    #pragma unroll
    for (int i = 0; i < FOURS; ++i) {
        int at = first + i * 128;
        float more = before + left + add[i];
        float4 r = make_float4(v[i].x + more, v[i].y + more, v[i].z + more, v[i].w + more);
        if (whole) {
            *(float4*)&out[at] = r;
        } else {
            if (at < n) out[at] = r.x;
            if (at + 1 < n) out[at + 1] = r.y;
            if (at + 2 < n) out[at + 2] = r.z;
            if (at + 3 < n) out[at + 3] = r.w;
        }
    }
}
