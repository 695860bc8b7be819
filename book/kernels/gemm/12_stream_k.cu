// finds: nothing
// launch: grid=2, block=256, args=[ramp(20, 40), ramp(40, 20), empty(20, 20), 20, 20, 40, empty(8192), zeros("int32", 1)], shared_mem=65536

#include <cuda_pipeline.h>

// The sizes, chosen by measuring: `autograder tune gemm` finds the best ones for your GPU and your matrices.
constexpr int BM = 32, BN = 64, BK = 32;             // a block's tile of C, and the depth of a phase
constexpr int WARPS_M = 1, WARPS_N = 1, SLICES = 8;  // its warps: down, across, and along K
constexpr int LANES_M = 4;                           // a warp's lanes, down; 32 / LANES_M across
constexpr int STAGES = 4;                            // buffers of each tile
constexpr int BLOCKS = 1;                            // blocks that are to fit on a multiprocessor
constexpr int BAND = 8;                              // rows of tiles that blocks work on at a time
constexpr int WIDE = 4;                              // words of B in a copy: 4 if N is a multiple of 4, else 1

constexpr int WARPS = WARPS_M * WARPS_N * SLICES, THREADS = 32 * WARPS, LANES_N = 32 / LANES_M;
constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N;  // a warp's tile of C
constexpr int TM = WM / LANES_M, TN = WN / LANES_N;  // a thread's elements of C, in groups of 4
constexpr int STEPS = BK / SLICES;                   // what each slice multiplies of a phase
constexpr int ROW = BM + 4;                          // words between two rows of the transposed tile of A
constexpr int SIZE_A = BK * ROW, SIZE_B = BK * BN;
// What all threads copy at once: of A, words of ROWS_A rows and COLS_A columns; of B, WIDE words each.
constexpr int ROWS_A = BM < THREADS / 8 ? BM : THREADS / 8, COLS_A = THREADS / ROWS_A, PARTS_A = BM / ROWS_A;
constexpr int COPIES_A = PARTS_A * (BK / COLS_A), COPIES_B = (SIZE_B / WIDE + THREADS - 1) / THREADS;
constexpr int COPIES = COPIES_A + COPIES_B, EVENLY = (COPIES + STEPS - 1) / STEPS, AT_ONCE = EVENLY > 2 ? EVENLY : 2;
// The threads of a slice, their groups of 4 elements, and how many of them a thread adds up in the end.
constexpr int PLACES = THREADS / SLICES, GROUPS = TM * TN / 4, OWN = GROUPS / SLICES;
// A tile of C in shared memory has so many words between each four rows and the next: lanes that store at once, four
// words each, then use different banks.
constexpr int GAP = 32 / LANES_M;
static_assert(TM % 4 == 0 && TN % 4 == 0 && GROUPS % SLICES == 0 && STEPS % 2 == 0, "");
static_assert(COLS_A % 8 == 0 && BM % ROWS_A == 0 && BK % COLS_A == 0, "");

// What a thread reads for one k: its TM words of A and TN words of B.
struct Fragment {
    __align__(16) float a[TM], b[TN];

    __device__ __forceinline__ void load(const float* tile_A, const float* tile_B, int k)
    {
        #pragma unroll
        for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&tile_A[k * ROW + LANES_M * i];
        #pragma unroll
        for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&tile_B[k * BN + LANES_N * j];
    }
};

// To and fro along the shorter side: then each multiplication shares an operand with the one before it, which
// need not be fetched from the register file again.
__device__ __forceinline__ void multiply(float (&sum)[TM][TN], const Fragment& f)
{
    constexpr int LONG = TM > TN ? TM : TN, SHORT = TM > TN ? TN : TM;
    #pragma unroll
    for (int l = 0; l < LONG; ++l)
        #pragma unroll
        for (int n = 0; n < SHORT; ++n) {
            int s = l % 2 ? SHORT - 1 - n : n, i = TM > TN ? l : s, j = TM > TN ? s : l;
            sum[i][j] += f.a[i] * f.b[j];
        }
}

__device__ __forceinline__ void add(float4& to, float4 v)
{
    to.x += v.x;
    to.y += v.y;
    to.z += v.z;
    to.w += v.w;
}

// sum = what this thread's slice of the phases [from, to) contributes to the tile of C at row, col.
__device__ __forceinline__ void multiply_phases(
    float (&sum)[TM][TN], float* tiles, const float* A, const float* B, int M, int N, int K, int row, int col,
    int from, int to)
{
    float* tiles_A = tiles;                    // STAGES x BK x ROW
    float* tiles_B = tiles + STAGES * SIZE_A;  // STAGES x BK x BN
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, slice = thread / PLACES;
    const float* my_A = tiles_A + slice * STEPS * ROW + warp / WARPS_N % WARPS_M * WM + lane % LANES_M * 4;
    const float* my_B = tiles_B + slice * STEPS * BN + warp % WARPS_N * WN + lane / LANES_M * 4;

    // The first phase begins before the matrices, at k < 0, so that the last one ends where they end.
    int k = K - ((K + BK - 1) / BK - from) * BK;
    // Where this thread copies from, in words from the corner of a phase. Where a matrix is smaller than a
    // tile, it copies the last row or column again: what comes of that lies outside C, and is never stored.
    int row_A = thread / 8 % ROWS_A, col_A = thread / 8 / ROWS_A * 8 + thread % 8;
    int at_A[PARTS_A], at_B[COPIES_B];
    #pragma unroll
    for (int i = 0; i < PARTS_A; ++i) at_A[i] = min(row_A + i * ROWS_A, M - 1 - row) * K;
    #pragma unroll
    for (int i = 0; i < COPIES_B; ++i) {
        int word = (thread + i * THREADS) * WIDE;
        at_B[i] = word / BN * N + min(word % BN, N - WIDE - col);
    }
    const float* from_A = A + (ptrdiff_t)row * K + k + col_A;
    const float* from_B = B + (ptrdiff_t)k * N + col;
    float* to_A = tiles_A + col_A * ROW + row_A;
    float* to_B = tiles_B + thread * WIDE;

    // What lies before the matrices becomes 0. Only the first phase must ask.
    auto begin_copy = [&](int number, int stage, bool first) {
        if (number < COPIES_A) {
            int part = number % PARTS_A, to_k = number / PARTS_A * COLS_A;
            float* to = to_A + stage * SIZE_A + to_k * ROW + part * ROWS_A;
            if (first)
                __pipeline_memcpy_async(to, from_A + at_A[part] + to_k, 4, k + to_k + col_A < 0 ? 4 : 0);
            else
                __pipeline_memcpy_async(to, from_A + at_A[part] + to_k, 4);
        } else {
            int i = number - COPIES_A, word = i * THREADS * WIDE, to_k = (thread * WIDE + word) / BN;
            if (SIZE_B % (THREADS * WIDE) && to_k >= BK) return;
            if (first)
                __pipeline_memcpy_async(to_B + stage * SIZE_B + word, from_B + at_B[i], 4 * WIDE,
                                        k + to_k < 0 ? 4 * WIDE : 0);
            else
                __pipeline_memcpy_async(to_B + stage * SIZE_B + word, from_B + at_B[i], 4 * WIDE);
        }
    };
    auto end_group = [&]() {
        __pipeline_commit();  // the copies since the last commit are one group, perhaps an empty one
        from_A += BK;
        from_B += (ptrdiff_t)BK * N;
    };
    #pragma unroll
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        #pragma unroll
        for (int number = 0; number < COPIES; ++number)
            if (from + stage < to) begin_copy(number, stage, stage == 0);
        end_group();
    }
    #pragma unroll
    for (int i = 0; i < TM; ++i)
        #pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = 0.0f;
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();  // the first tiles are whole
    Fragment f[2];
    f[0].load(my_A, my_B, 0);

    int phase = from, now = 0;
    auto multiply_phase = [&](bool copies, bool goes_on) {
        int next = now + 1 == STAGES ? 0 : now + 1, last = now == 0 ? STAGES - 1 : now - 1;
        #pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            // A few copies at a time, between the multiplications, so that they do not queue up.
            #pragma unroll
            for (int number = AT_ONCE * step; number < AT_ONCE * (step + 1); ++number)
                if (copies && number < COPIES) begin_copy(number, last, false);
            if (AT_ONCE * step < COPIES && AT_ONCE * (step + 1) >= COPIES) end_group();
            // The next fragment is read while this one is multiplied.
            if (step + 1 < STEPS) {
                f[(step + 1) % 2].load(my_A + now * SIZE_A, my_B + now * SIZE_B, step + 1);
            } else if (goes_on) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();  // the next tiles are whole, and nobody needs these any more
                f[0].load(my_A + next * SIZE_A, my_B + next * SIZE_B, 0);
            }
            multiply(sum, f[step % 2]);
        }
        now = next;
    };
    #pragma unroll 1
    for (; phase < to - (STAGES - 1); ++phase) multiply_phase(true, true);
    #pragma unroll 1
    for (; phase < to; ++phase) multiply_phase(false, phase + 1 < to);  // all copies have begun
    __syncthreads();  // nobody needs the tiles any more
}

// own = this thread's share of the sums of all slices, always added in the same order.
__device__ __forceinline__ void add_slices(float4 (&own)[OWN], const float (&sum)[TM][TN], float4* sums)
{
    int slice = threadIdx.x / PLACES, place = threadIdx.x % PLACES;
    // Four words that are stored at once must lie in neighboring registers. Without the
    // additions the sums would lie there in the loop, too, where two operands of a
    // multiplication would often share a bank of the register file.
    auto group = [&](int g) {
        const float* v = &sum[g / (TN / 4)][g % (TN / 4) * 4];
        return make_float4(v[0] + 0.0f, v[1] + 0.0f, v[2] + 0.0f, v[3] + 0.0f);
    };
    if (SLICES == 1) {
        #pragma unroll
        for (int n = 0; n < OWN; ++n) own[n] = group(n);
        return;
    }
    #pragma unroll
    for (int g = 0; g < GROUPS; ++g) sums[(slice * GROUPS + g) * PLACES + place] = group(g);
    __syncthreads();  // the sums of all slices are there
    #pragma unroll
    for (int n = 0; n < OWN; ++n) {
        own[n] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        #pragma unroll
        for (int s = 0; s < SLICES; ++s) add(own[n], sums[(s * GROUPS + slice * OWN + n) * PLACES + place]);
    }
    __syncthreads();  // nobody needs the sums any more
}

// Stores what a tile at row, col has of C from own_row, own_col on. Unless that is all, and rows of C begin at
// multiples of 16 bytes, the tile goes through shared memory first, so that neighboring lanes store neighbors.
__device__ __forceinline__ void store_tile(
    float* C, int M, int N, int row, int col, int own_row, int own_col, const float4 (&own)[OWN], float* tile)
{
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, slice = SLICES == 1 ? 0 : thread / PLACES;
    int my_row = warp / WARPS_N % WARPS_M * WM + lane % LANES_M * 4, my_col = warp % WARPS_N * WN + lane / LANES_M * 4;
    auto store_groups = [&](float* to, int stride, int gap) {
        #pragma unroll
        for (int n = 0; n < OWN; ++n) {
            int group = slice * OWN + n, i = group / (TN / 4), j = group % (TN / 4) * 4;
            int down = LANES_M * (i / 4 * 4) + i % 4;
            *(float4*)(to + (ptrdiff_t)down * stride + LANES_M * (i / 4) * gap + LANES_N * j) = own[n];
        }
    };
    if (row == own_row && col == own_col && row + BM <= M && col + BN <= N && N % 4 == 0) {
        store_groups(C + (ptrdiff_t)(row + my_row) * N + col + my_col, N, 0);
        return;
    }
    store_groups(tile + my_row * BN + my_row / 4 * GAP + my_col, BN, GAP);
    __syncthreads();  // the tile is whole
    // Each warp stores rows, so a lane has the same columns in all of them.
    int r = own_row - row + warp, rows = min(BM, M - row), cols = min(BN, N - col);
    float* to = C + (ptrdiff_t)(row + r) * N + col;
    for (; r < rows; r += WARPS, to += (ptrdiff_t)WARPS * N)
        for (int c = own_col - col + lane; c < cols; c += 32) to[c] = tile[r * BN + r / 4 * GAP + c];
    __syncthreads();  // nobody needs it any more
}

// C = A B, by as many blocks as are launched, at most one for each phase of each tile. If the tiles come out
// even, each block takes equally many. If not, each takes one while more than two are left for each block, and the
// others are shared out evenly, by their phases: where the phases of a tile go to several blocks, each leaves its
// sums in partial (two tiles for each block), and the last to arrive adds up all. It does so in the order of the
// blocks, so that the result is always the same. arrived has a 0 for each tile, and has it again in the end.
__launch_bounds__(THREADS, BLOCKS)
__global__ void gemm_stream_k(
    const float* A, const float* B, float* C, int M, int N, int K, float* partial, int* arrived)
{
    extern __shared__ __align__(16) float tiles[];  // of A and B; then the sums of the slices
    __shared__ int before;
    int thread = threadIdx.x, block = blockIdx.x, blocks = gridDim.x;
    int across = (N + BN - 1) / BN, down = (M + BM - 1) / BM, phases = (K + BK - 1) / BK;
    int all = across * down, rounds = all % blocks == 0 ? all / blocks : max(all / blocks - 1, 0);
    int first_shared = rounds * blocks;
    long long shared = (long long)(all - first_shared) * phases, work = 0, end = 0;
    if (shared > 0) {  // otherwise two slow divisions would be for nothing
        work = shared * block / blocks;  // this block's share
        end = shared * (block + 1) / blocks;
    }

    for (int round = 0; round < rounds || work < end; ++round) {
        int tile = round * blocks + block, from = 0, to = phases;
        if (round >= rounds) {
            tile = first_shared + (int)(work / phases);
            from = (int)(work % phases);
            to = (int)min((long long)phases, from + end - work);
            work += to - from;
        }
        // Blocks that run at the same time work on a band of BAND rows of tiles, column by column:
        // they share rows of A and columns of B, which are then found in the L2 cache.
        int band = tile / (BAND * across) * BAND, place = tile % (BAND * across), height = min(down - band, BAND);
        int own_row = (band + place % height) * BM, own_col = place / height * BN;
        // At an edge the tile moves back into the matrix: copying one row again and again would be slow.
        int row = max(0, min(own_row, M - BM)), col = max(0, min(own_col, N - BN));

        float sum[TM][TN];
        float4 own[OWN];
        multiply_phases(sum, tiles, A, B, M, N, K, row, col, from, to);
        add_slices(own, sum, (float4*)tiles);
        if (to - from < phases) {
            // Block b has the phases of the shared tiles from shared * b / blocks on.
            long long begin = (long long)(tile - first_shared) * phases;
            int first = (int)(((begin + 1) * blocks - 1) / shared);
            int last = (int)(((begin + phases) * blocks - 1) / shared);
            // A block may have the end of one tile and the beginning of another.
            auto sums_of = [&](int b) { return (float4*)partial + (size_t)(2 * b + (b == first)) * OWN * THREADS; };
            #pragma unroll
            for (int n = 0; n < OWN; ++n) sums_of(block)[n * THREADS + thread] = own[n];
            __threadfence();
            __syncthreads();  // the sums of all threads are there, for all blocks
            if (thread == 0) before = atomicAdd(&arrived[tile], 1);
            __syncthreads();  // all threads know how many blocks came before
            if (before < last - first) continue;
            if (thread == 0) arrived[tile] = 0;
            __threadfence();
            #pragma unroll
            for (int n = 0; n < OWN; ++n) own[n] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            for (int b = first; b <= last; ++b)
                #pragma unroll
                for (int n = 0; n < OWN; ++n) add(own[n], sums_of(b)[n * THREADS + thread]);
        }
        store_tile(C, M, N, row, col, own_row, own_col, own, tiles);
    }
}
