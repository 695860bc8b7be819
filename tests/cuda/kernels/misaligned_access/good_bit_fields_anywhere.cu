// kernel: fields   grid: 1   block: 8
// args: out int32[8] poison
// expect: nothing
// check: out == np.arange(8) * 3 + 5
struct Fields { char a; int b : 12; int c : 4; unsigned d : 24; };
__global__ void fields(int* out)
{
    __shared__ Fields s[8];
    Fields* mine = s + threadIdx.x;
    *mine = Fields{};
    mine->b = threadIdx.x;
    mine->c = 5;
    mine->d = 2 * threadIdx.x;
    out[threadIdx.x] = mine->b + mine->c + mine->d;
}
