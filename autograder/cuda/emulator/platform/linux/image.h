// Maps a compiled kernel and runs nothing of it. (The C library's dlopen would call its constructors, before the sandbox
// is closed.) Whatever the file holds, nothing outside the file and its image is read or written.
#pragma once
#include "window.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>

constexpr u64 PAGE = 4096, MAX_IMAGE = 1ull << 31;

struct Image {
    u8* base;
    u64 size;
    const Elf64_Sym* symbols;
    const char* names;
    u64 symbol_count, names_size;
};

[[noreturn]] static void no_module(const char* why) { refuse("not a kernel module: %s", why); }

static u64 page_of(u64 address) { return address & ~(PAGE - 1); }

// The image's bytes at `address`, as the file counts; they must all be in it.
template <class T> static T* in_image(const Image& image, u64 address, u64 count = 1) {
    if (address > image.size || count > (image.size - address) / sizeof(T)) no_module("an address outside of it");
    return (T*)(image.base + address);
}

static void map_segment(const Image& image, const Elf64_Phdr& part, int descriptor) {
    u64 start = page_of(part.p_vaddr), within = part.p_vaddr - start, filled = within + part.p_filesz;
    int access = (part.p_flags & PF_R ? PROT_READ : 0) | (part.p_flags & PF_W ? PROT_WRITE : 0) |
                 (part.p_flags & PF_X ? PROT_EXEC : 0);
    if ((access & PROT_WRITE) && (access & PROT_EXEC)) no_module("code that can be written");
    u8* at = image.base + start;
    if (part.p_filesz &&
        mmap(at, filled, access, MAP_PRIVATE | MAP_FIXED, descriptor, off_t(page_of(part.p_offset))) != (void*)at)
        no_module("it cannot be mapped");
    if (!part.p_filesz) filled = 0;
    u64 end = within + part.p_memsz, rest = page_of(filled + PAGE - 1);
    if (access & PROT_WRITE) memset(at + filled, 0, filled ? (rest < end ? rest : end) - filled : 0);
    constexpr int ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (end > rest && mmap(at + rest, end - rest, access, ANONYMOUS, -1, 0) != (void*)(at + rest))
        no_module("it cannot be mapped");
}

static const Elf64_Phdr* segments(const File& file, u64& count) {
    const Elf64_Ehdr* head = (const Elf64_Ehdr*)file.bytes;
    if (file.size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_type != ET_DYN ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64)
        no_module("no shared object");
    count = head->e_phnum;
    if (head->e_phoff > file.size || count > (file.size - head->e_phoff) / sizeof(Elf64_Phdr))
        no_module("it ends too early");
    return (const Elf64_Phdr*)(file.bytes + head->e_phoff);
}

struct Libraries {
    void *math, *runtime;
    const void *math_base, *runtime_base;
};

static const void* base_of(void* function) {
    Dl_info where;
    return function && dladdr(function, &where) ? where.dli_fbase : nullptr;
}

static Libraries open_libraries() {
    void *math = dlopen("libm.so.6", RTLD_NOW), *runtime = dlopen(nullptr, RTLD_NOW);
    if (!math || !runtime) refuse("%s", dlerror());
    return {math, runtime, base_of(dlsym(math, "cos")), base_of((void*)open_libraries)};
}

// A function of the runtime or of the mathematical library, or what stands for three of the C library: nothing else.
static u64 function_called(const char* name, const Libraries& from) {
    if (void* at = dlsym(from.math, name); at && base_of(at) == from.math_base) return (u64)at;
    if (!strcmp(name, "memcpy") || !strcmp(name, "memmove")) return (u64)copy_for_kernel;
    if (!strcmp(name, "memset")) return (u64)fill_for_kernel;
    void* at = dlsym(from.runtime, name);
    if (!at || base_of(at) != from.runtime_base) refuse("no function %s", name);
    return (u64)at;
}

static const char* name_of(const Image& image, const Elf64_Sym& symbol) {
    u64 room = symbol.st_name < image.names_size ? image.names_size - symbol.st_name : 0;
    if (!room || strnlen(image.names + symbol.st_name, room) == room) no_module("a name without an end");
    return image.names + symbol.st_name;
}

static void relocate(const Image& image, u64 table, u64 bytes, const Libraries& from) {
    const Elf64_Rela* entries = in_image<Elf64_Rela>(image, table, bytes / sizeof(Elf64_Rela));
    for (u64 i = 0; i < bytes / sizeof(Elf64_Rela); i++) {
        const Elf64_Rela& entry = entries[i];
        u64 type = ELF64_R_TYPE(entry.r_info), index = ELF64_R_SYM(entry.r_info);
        u64 value = (u64)image.base + u64(entry.r_addend);
        if (type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT) {
            if (index >= image.symbol_count) no_module("an unknown symbol");
            const Elf64_Sym& symbol = image.symbols[index];
            u64 addend = type == R_X86_64_64 ? u64(entry.r_addend) : 0;
            if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) no_module("code that runs early");
            value = addend + (symbol.st_shndx == SHN_UNDEF ? function_called(name_of(image, symbol), from)
                                                           : (u64)image.base + symbol.st_value);
        } else if (type != R_X86_64_RELATIVE) {
            no_module("an unknown relocation");
        }
        *in_image<u64>(image, entry.r_offset) = value;
    }
}

static Image map_image(const char* path, const Libraries& from) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) refuse("%s cannot be opened", path);
    File file = map_file(descriptor, false);
    u64 count, dynamic = 0, dynamic_size = 0;
    const Elf64_Phdr* parts = segments(file, count);
    Image image = {};
    for (u64 i = 0; i < count; i++) {
        const Elf64_Phdr& part = parts[i];
        if (part.p_type == PT_TLS) no_module("variables of a system's thread");
        if (part.p_type == PT_DYNAMIC) dynamic = part.p_vaddr, dynamic_size = part.p_memsz;
        if (part.p_type != PT_LOAD) continue;
        if (part.p_vaddr > MAX_IMAGE || part.p_memsz > MAX_IMAGE || part.p_filesz > part.p_memsz ||
            part.p_offset > file.size || part.p_filesz > file.size - part.p_offset ||
            (part.p_offset - part.p_vaddr) % PAGE)
            no_module("a part outside of it");
        u64 end = page_of(part.p_vaddr + part.p_memsz + PAGE - 1);
        if (end > image.size) image.size = end;
    }
    image.base = take_of_window(image.size);
    for (u64 i = 0; i < count; i++)
        if (parts[i].p_type == PT_LOAD) map_segment(image, parts[i], descriptor);
    u64 tags[DT_JMPREL + 1] = {};
    const Elf64_Dyn* entry = in_image<Elf64_Dyn>(image, dynamic, dynamic_size / sizeof(Elf64_Dyn));
    for (u64 i = 0; i < dynamic_size / sizeof(Elf64_Dyn); i++)
        if (u64(entry[i].d_tag) <= DT_JMPREL) tags[entry[i].d_tag] = entry[i].d_un.d_val;
    image.symbol_count = in_image<u32>(image, tags[DT_HASH], 2)[1];
    image.symbols = in_image<Elf64_Sym>(image, tags[DT_SYMTAB], image.symbol_count);
    image.names_size = tags[DT_STRSZ];
    image.names = in_image<char>(image, tags[DT_STRTAB], image.names_size);
    relocate(image, tags[DT_RELA], tags[DT_RELASZ], from);
    relocate(image, tags[DT_JMPREL], tags[DT_PLTRELSZ], from);
    for (u64 i = 0; i < count; i++)
        if (parts[i].p_type == PT_GNU_RELRO &&
            mprotect(in_image<u8>(image, page_of(parts[i].p_vaddr), parts[i].p_memsz), parts[i].p_memsz, PROT_READ))
            no_module("it cannot be mapped");
    munmap(file.bytes, file.size);
    close(descriptor);
    return image;
}

// Where the image defines `name`.
static void* defined(const Image& image, const char* name) {
    for (u64 i = 0; i < image.symbol_count; i++)
        if (image.symbols[i].st_shndx != SHN_UNDEF && !strcmp(name_of(image, image.symbols[i]), name))
            return in_image<u8>(image, image.symbols[i].st_value);
    no_module(name);
}
