// finds: nothing; without barrier 1: Race
// launch: for block in (64, 8): grid=4, block=block, args=[numbers('float32', 4 * block), empty(4 * block), 4 * block, 2], shared_mem=8 * (block + 4)

// Several steps in one launch. A block fetches `steps` elements more on each side; each
// step uses up one. n >= blockDim.x + 2 * steps.
__global__ void heat_steps(const float* in, float* out, int n, int steps)
{
    extern __shared__ float now[];
    int t = threadIdx.x, first = blockDim.x * blockIdx.x, width = blockDim.x + 2 * steps;
    float* next = now + width;  // each row begins at element first - steps
    float* current = now;

    for (int j = t; j < width; j += blockDim.x) {
        int from = first - steps + j;
        from += from < 0 ? n : from < n ? 0 : -n;
        now[j] = in[from];  // fetch
    }
    for (int s = 1; s <= steps; ++s) {  // each step has one element less on each side
        __syncthreads();  // barrier 1: the step before is done, and its input not needed
        for (int j = s + t; j < width - s; j += blockDim.x)
            next[j] = 0.5f * current[j] + 0.25f * (current[j - 1] + current[j + 1]);  // step
        float* old = current;
        current = next;
        next = old;
    }
    if (first + t < n)
        out[first + t] = current[steps + t];  // own: written by this thread itself
}
