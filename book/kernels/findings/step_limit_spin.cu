// finds: StepLimit
// launch: grid=1, block=64, args=[zeros("int32", 1)]

// Thread 0 waits until all others have signed in.
__global__ void sign_in(int* signed_in)
{
    if (threadIdx.x > 1) atomicAdd(signed_in, 1);
    if (threadIdx.x == 0)
        while (atomicAdd(signed_in, 0) < 63) {}
}
