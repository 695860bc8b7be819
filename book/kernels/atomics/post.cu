// finds: nothing
// launch: grid=2, block=1, args=[zeros('int32', 20), zeros('int32', 1), zeros('int32', 1), 20]

// Block 0 stores one letter after the other, and says how many there
// are. Block 1 looks for the last one.
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
            __threadfence();  // first the number, then the letter
            if (seen > 0 && letters[seen - 1] == 0) ++not_there;
        }
        *missing = not_there;
    }
}
