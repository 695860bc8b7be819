// finds: nothing; without barrier 1: Race
// launch: grid=(2, 2), block=128, args=[*normal("float16", 3, 2, 100, 64), zeros("float16", 2, 100, 64), 100]

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int D = 64;     // elements of a query, a key, a value
constexpr int TILE = 64;  // keys and values of a tile
constexpr int WARPS = 4, WM = 16, BM = WARPS * WM;  // a warp's queries, and a block's

// Where the eight halves of a row that begin at 8 * piece are kept: swizzled, so that the same piece of eight rows is
// in eight different groups of banks.
__device__ int place(int row, int piece) { return row * D + 8 * (piece ^ row % 8); }

// Four matrices of 8 x 8 halves; eight lanes each say where the rows of one begin. A lane gets two elements of each.
__device__ void load_matrices(unsigned (&to)[4], const half* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// The same, with each matrix transposed.
__device__ void load_transposed(unsigned (&to)[4], const half* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// sum += a b: 16 x 16 times 16 x 8.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two floats as the two halves of a word, the first in its lower half.
__device__ unsigned pack(float low, float high)
{
    half2 both = __floats2half2_rn(low, high);
    unsigned word;
    memcpy(&word, &both, sizeof word);
    return word;
}

// 2 to the power of x, by the one instruction that the hardware has for it.
__device__ float power_of_2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// O = softmax(Q K^T / sqrt(D)) V, for each head: a warp computes WM rows of O.
__launch_bounds__(32 * WARPS)
__global__ void attention_async(const half* Q, const half* K, const half* V, half* O, int n)
{
    __shared__ __align__(128) half tile_K[2][TILE * D], tile_V[2][TILE * D];
    int lane = threadIdx.x % 32, pair = lane % 4 * 2;
    int query = blockIdx.x * BM + threadIdx.x / 32 * WM + lane / 4;  // this lane's first row; others are 8 apart
    size_t head = (size_t)blockIdx.y * n * D;
    Q += head, K += head, V += head, O += head;

    unsigned q[WM / 16][D / 16][4];  // fragments of the warp's queries: they stay in registers
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i)
        #pragma unroll
        for (int k = 0; k < D / 16; ++k)
            #pragma unroll
            for (int w = 0; w < 4; ++w) {
                int row = query + 16 * i + w % 2 * 8, col = 16 * k + w / 2 * 8 + pair;
                q[i][k][w] = row < n ? *(const unsigned*)&Q[row * D + col] : 0;
            }

    const float scale = rsqrtf(D) * 1.44269504f;  // and log2(e): e^x = 2^(x log2(e))
    float o[WM / 16][D / 8][4] = {};
    float largest[WM / 16][2], sum[WM / 16][2] = {};  // of two rows: of elements 0 and 1, and of 2 and 3
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i) largest[i][0] = largest[i][1] = -INFINITY;

    auto begin_copy = [&](int first) {  // of the tiles that begin with number `first`
        for (int i = threadIdx.x; i < TILE * D / 8; i += 32 * WARPS) {
            int row = i / (D / 8), piece = i % (D / 8), buffer = first / TILE % 2;
            int from = min(first + row, n - 1) * D + 8 * piece;
            size_t zeros = first + row < n ? 0 : 16;  // bytes that are not copied, but zero
            __pipeline_memcpy_async(&tile_K[buffer][place(row, piece)], &K[from], 16, zeros);
            __pipeline_memcpy_async(&tile_V[buffer][place(row, piece)], &V[from], 16, zeros);
        }
        __pipeline_commit();
    };
    begin_copy(0);
    for (int first = 0; first < n; first += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();  // barrier 1: these tiles have arrived, and everybody is done with those before
        if (first + TILE < n) begin_copy(first + TILE);
        const half *keys = tile_K[first / TILE % 2], *values = tile_V[first / TILE % 2];

        float s[WM / 16][TILE / 8][4] = {};
        #pragma unroll
        for (int j = 0; j < TILE / 16; ++j)  // 16 keys
            #pragma unroll
            for (int k = 0; k < D / 16; ++k) {
                unsigned b[4];
                load_matrices(b, &keys[place(16 * j + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2)]);
                #pragma unroll
                for (int i = 0; i < WM / 16; ++i) {
                    multiply(s[i][2 * j], q[i][k], b[0], b[1]);
                    multiply(s[i][2 * j + 1], q[i][k], b[2], b[3]);
                }
            }

        if (first + TILE > n)  // keys beyond the last one get no weight
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                #pragma unroll
                for (int e = 0; e < TILE / 8 * 4; ++e)
                    if (first + e / 4 * 8 + pair + e % 2 >= n) s[i][e / 4][e % 4] = -INFINITY;

        #pragma unroll
        for (int i = 0; i < WM / 16; ++i)
            #pragma unroll
            for (int r = 0; r < 2; ++r) {
                float before = largest[i][r], &most = largest[i][r];
                #pragma unroll
                for (int j = 0; j < TILE / 8; ++j) most = fmaxf(most, fmaxf(s[i][j][2 * r], s[i][j][2 * r + 1]));
                most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 1));  // four lanes share a row
                most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 2));
                float shrink = power_of_2((before - most) * scale);
                sum[i][r] *= shrink;
                #pragma unroll
                for (int j = 0; j < D / 8; ++j) o[i][j][2 * r] *= shrink, o[i][j][2 * r + 1] *= shrink;
                #pragma unroll
                for (int j = 0; j < TILE / 8; ++j)
                    #pragma unroll
                    for (int e = 2 * r; e < 2 * r + 2; ++e) {
                        s[i][j][e] = power_of_2(s[i][j][e] * scale - most * scale);
                        sum[i][r] += s[i][j][e];  // this lane's share of the row
                    }
            }

        #pragma unroll
        for (int k = 0; k < TILE / 16; ++k) {  // 16 values
            unsigned p[WM / 16][4];  // two adjacent accumulators are held as one factor is
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                #pragma unroll
                for (int w = 0; w < 4; ++w)
                    p[i][w] = pack(s[i][2 * k + w / 2][w % 2 * 2], s[i][2 * k + w / 2][w % 2 * 2 + 1]);
            #pragma unroll
            for (int j = 0; j < D / 16; ++j) {
                unsigned b[4];
                load_transposed(b, &values[place(16 * k + lane % 16, 2 * j + lane / 16)]);
                #pragma unroll
                for (int i = 0; i < WM / 16; ++i) {
                    multiply(o[i][2 * j], p[i], b[0], b[1]);
                    multiply(o[i][2 * j + 1], p[i], b[2], b[3]);
                }
            }
        }
    }

    #pragma unroll
    for (int i = 0; i < WM / 16; ++i)
        #pragma unroll
        for (int r = 0; r < 2; ++r) {
            float all = sum[i][r];
            all += __shfl_xor_sync(0xffffffff, all, 1);
            all += __shfl_xor_sync(0xffffffff, all, 2);
            int row = query + 16 * i + 8 * r;
            #pragma unroll
            for (int j = 0; j < D / 8; ++j)
                if (row < n)
                    *(unsigned*)&O[row * D + 8 * j + pair] = pack(o[i][j][2 * r] / all, o[i][j][2 * r + 1] / all);
        }
}
