// finds: Race
// launch: grid=2, block=1, args=[zeros('int32', 20), zeros('int32', 1), zeros('int32', 1), 20]

// The same without the reader's fence.
__global__ void post(int* letters, int* posted, int* missing, int n)
{
    if (blockIdx.x == 0) {
        for (int i = 0; i < n; ++i) {
            letters[i] = 1;
            __threadfence();  // first the letter, then the number
            atomicExch(posted, i + 1);
        }
    } else {
        int not_there = 0, seen = 0;
        while (seen < n) {
            seen = atomicAdd(posted, 0);
            if (seen > 0 && letters[seen - 1] == 0) ++not_there;
        }
        *missing = not_there;
    }
}
