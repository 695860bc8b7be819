// How a process ends, and the descriptors that it was given.
#pragma once
#include "../platform.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

constexpr int RESULT_DESCRIPTOR = 3;  // the sandbox's filter knows the number

[[noreturn]] static void quit(Status status) { _exit(int(status)); }

[[noreturn]] static void refuse(const char* why, ...) {
    va_list list;
    va_start(list, why);
    vdprintf(2, why, list);
    va_end(list);
    dprintf(2, "\n");
    quit(Status::Refused);
}

static int print_list_to(char* to, u64 room, const char* format, __builtin_va_list list) {
    return vsnprintf(to, room, format, list);
}

static int print_to(char* to, u64 room, const char* format, ...) {
    va_list list;
    va_start(list, format);
    int length = print_list_to(to, room, format, list);
    va_end(list);
    return length;
}

static u64 size_of(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status)) refuse("no such descriptor");
    return u64(status.st_size);
}

static File map_file(int descriptor, bool writable) {
    u64 size = size_of(descriptor);
    if (!size) return {nullptr, 0};
    void* at = mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED) refuse("cannot map a descriptor");
    return {(u8*)at, size};
}

static void open_result(int descriptor) {
    if (dup2(descriptor, RESULT_DESCRIPTOR) != RESULT_DESCRIPTOR) refuse("no result descriptor");
}

static bool send_result(const char* text, u64 length) {
    for (u64 sent = 0; sent < length;) {
        ssize_t n = write(RESULT_DESCRIPTOR, text + sent, length - sent);
        if (n <= 0) return false;
        sent += u64(n);
    }
    return true;
}
