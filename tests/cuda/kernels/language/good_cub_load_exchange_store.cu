// kernel: arranged   grid: 1   block: 64
// args: a int32[512] random, out int32[4608] poison
// expect: nothing
// check: out == np.concatenate((lambda striped, some: [a, striped, a, a, a, some, striped, a[::-1], np.append(a[:490], np.full(22, -9))])(a.reshape(8, 64).T.ravel(), np.append(a[:490], np.full(22, -5))))
#include <cub/cub.cuh>

template <cub::BlockLoadAlgorithm how> using Load = cub::BlockLoad<int, 64, 8, how>;
template <cub::BlockStoreAlgorithm how> using Store = cub::BlockStore<int, 64, 8, how>;
using Exchange = cub::BlockExchange<int, 64, 8>;

// What each thread holds, thread by thread.
__device__ void keep(int* out, const int (&items)[8])
{
    for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = items[i];
}
template <cub::BlockLoadAlgorithm how> __device__ void load(const int* a, int* out)
{
    __shared__ typename Load<how>::TempStorage storage;
    int items[8];
    Load<how>(storage).Load(a, items);
    keep(out, items);
}

__global__ void arranged(const int* a, int* out)
{
    load<cub::BLOCK_LOAD_DIRECT>(a, out);
    load<cub::BLOCK_LOAD_STRIPED>(a, out + 512);
    load<cub::BLOCK_LOAD_TRANSPOSE>(a, out + 1024);
    load<cub::BLOCK_LOAD_WARP_TRANSPOSE>(a, out + 1536);

    __shared__ union {
        typename Load<cub::BLOCK_LOAD_TRANSPOSE>::TempStorage load;
        typename Store<cub::BLOCK_STORE_WARP_TRANSPOSE>::TempStorage warps;
        typename Store<cub::BLOCK_STORE_TRANSPOSE>::TempStorage store;
        typename Exchange::TempStorage exchange;
    } storage;
    int items[8], ranks[8];
    Load<cub::BLOCK_LOAD_TRANSPOSE>(storage.load).Load(a, items);
    __syncthreads();
    Store<cub::BLOCK_STORE_WARP_TRANSPOSE>(storage.warps).Store(out + 2048, items);
    __syncthreads();
    Load<cub::BLOCK_LOAD_TRANSPOSE>(storage.load).Load(a, items, 490, -5);
    keep(out + 2560, items);
    __syncthreads();
    Load<cub::BLOCK_LOAD_TRANSPOSE>(storage.load).Load(a, items);
    __syncthreads();
    Exchange(storage.exchange).BlockedToStriped(items);
    keep(out + 3072, items);
    __syncthreads();
    Exchange(storage.exchange).StripedToBlocked(items);
    __syncthreads();
    for (int i = 0; i < 8; i++) ranks[i] = 511 - (threadIdx.x * 8 + i);
    int turned[8];
    Exchange(storage.exchange).ScatterToBlocked(items, turned, ranks);
    keep(out + 3584, turned);
    __syncthreads();
    for (int i = 0; i < 8; i++) out[4096 + threadIdx.x * 8 + i] = -9;
    __syncthreads();
    Store<cub::BLOCK_STORE_TRANSPOSE>(storage.store).Store(out + 4096, items, 490);
}
