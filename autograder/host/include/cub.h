// CUB's collectives, as a program's host half names them: in aliases, and in the heads of what kernels call.
#pragma once
#include "emulated/algorithms.cuh"
#include "cuda_runtime.h"

namespace cub {
struct Sum {};
struct Max {};
struct Min {};
struct ArgMax {};
struct ArgMin {};
template <class Key, class Value> struct KeyValuePair {
    Key key;
    Value value;
};
template <class T, int Lanes = 32, int Arch = 0> struct WarpReduce {
    struct TempStorage;
};
template <class T, int Lanes = 32, int Arch = 0> struct WarpScan {
    struct TempStorage;
};
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
struct BlockReduce {
    struct TempStorage;
};
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0> struct BlockScan {
    struct TempStorage;
};
template <class T, int X, int Items, bool TimeSlicing = false, int Y = 1, int Z = 1, int Arch = 0>
struct BlockExchange {
    struct TempStorage;
};
template <class T, int X, int Items, BlockLoadAlgorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
struct BlockLoad {
    struct TempStorage;
};
template <class T, int X, int Items, BlockStoreAlgorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
struct BlockStore {
    struct TempStorage;
};
}  // namespace cub
