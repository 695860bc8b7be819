// The blocks of the host's own memory that `malloc` and `new` have given out.
#pragma once
#include <stddef.h>

namespace emulated {
// Bytes from `pointer` to the end of its block; SIZE_MAX where no block is known.
size_t room_after(const void* pointer);
}  // namespace emulated
