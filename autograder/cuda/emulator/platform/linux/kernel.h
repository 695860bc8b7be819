// The kernel, compiled as a shared object.
#pragma once
#include "image.h"

static Kernel load_kernel(const char* path) {
    Image image = map_image(path, open_libraries());
    Kernel kernel = {};
    kernel.parameters = (const u32*)defined(image, "emu_parameters");
    kernel.entry = (void (*)(void**))defined(image, "emu_entry");
    kernel.accesses = *(const u32*)defined(image, "emu_accesses");
    kernel.base = (u64)image.base;
    return kernel;
}
