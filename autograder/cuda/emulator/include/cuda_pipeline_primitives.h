// Asynchronous copies into shared memory, see the CUDA C++ Programming Guide, "Pipeline Primitives Interface".
#pragma once

EMU_CALL void __pipeline_memcpy_async(void* to, const void* from, size_t size_and_align, size_t zfill = 0) {
    const void* site = EMU_SITE;
    if (size_and_align != 4 && size_and_align != 8 && size_and_align != 16)
        emu_trap("size_and_align == 4 || size_and_align == 8 || size_and_align == 16", site);
    if (zfill > size_and_align) emu_trap("zfill <= size_and_align", site);
    emu_async_copy(to, from, unsigned(size_and_align - zfill), unsigned(zfill), EMU_WAIT_PRIOR, site);
}
EMU_FN void __pipeline_commit() { emu_async_commit(); }
EMU_CALL void __pipeline_wait_prior(size_t prior) { emu_async_wait(unsigned(prior), EMU_SITE); }
