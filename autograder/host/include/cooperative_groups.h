// Cooperative groups, as a program's host half names them: in aliases, and in the heads of what kernels call.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
class thread_group;
class thread_block;
class grid_group;
class multi_grid_group;
class cluster_group;
class coalesced_group;
template <unsigned Size, class Parent = void> class thread_block_tile;
template <class T> struct plus;
template <class T> struct less;
template <class T> struct greater;
template <class T> struct bit_and;
template <class T> struct bit_or;
template <class T> struct bit_xor;

// For using-declarations: no more than the names.
void this_thread_block();
void this_grid();
void this_cluster();
void coalesced_threads();
void sync();
void tiled_partition();
void binary_partition();
void labeled_partition();
void reduce();
void inclusive_scan();
void exclusive_scan();
void memcpy_async();
void wait();
void wait_prior();
}  // namespace cooperative_groups
