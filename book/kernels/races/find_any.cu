// finds: Race
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 2), 128, 50]

struct Found { int value, index; };

// Any element above limit will do, with its index: but both must be of
// the same element.
__global__ void find_any(const int* in, Found* found, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] > limit) {
        found->value = in[i];
        found->index = i;
    }
}
