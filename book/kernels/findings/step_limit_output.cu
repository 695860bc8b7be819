// finds: StepLimit
// launch: grid=64, block=256, args=[1000]

// Says what it does.
__global__ void chatter(int rounds)
{
    for (int i = 0; i < rounds; ++i)
        printf("thread %d, round %d\n", threadIdx.x, i);
}
