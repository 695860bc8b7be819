// What the kernel calls at an access that has a number. (Nothing is inlined here.)
#pragma once
#include "../platform.h"

extern "C" {
#define CALLED(name)                                                 \
    void numbered_##name(u32 number, u64 address, const void* site); \
    void emu_called_##name(u32 number, u64 address) { numbered_##name(number, address, CALL_SITE); }
CALLED(read4) CALLED(read8) CALLED(read16) CALLED(write4) CALLED(write8) CALLED(write16)
}
