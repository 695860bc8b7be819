// rejected by: loads_at_most
// perhaps also: stores_at_most
// "Three xor exchange two numbers without a variable." In memory, that is six loads and three stores.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    if (i < partner) {
        d[i] ^= d[partner];
        d[partner] ^= d[i];
        d[i] ^= d[partner];
    }
}
