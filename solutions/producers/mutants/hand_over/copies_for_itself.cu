// rejected by: uses_between_warps
// The consumer fills the slot itself. There is no producer, so nobody waits for another warp.
__global__ void hand_over(const int* in, int* out, int rounds)
{
    __shared__ int slot[32];
    int lane = threadIdx.x % 32;
    const int* rows = in + blockIdx.x * rounds * 32;
    if (threadIdx.x >= 32) {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) {
            slot[lane] = rows[32 * k + lane];
            __syncwarp();
            int number = slot[31 - lane];
            __syncwarp();
            sum += k % 2 ? -number : number;
        }
        out[32 * blockIdx.x + lane] = sum;
    }
}
