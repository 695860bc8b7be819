// What the host does for the runtime: files, text, and the end. Addresses are those of the module's memory.
#pragma once
#include "../platform.h"

extern "C" {
[[noreturn]] void host_quit(int status);
void host_refuse(const char* why, u64 length);
u64 host_file_size(int descriptor);
// Whole, to `to`; the host takes a writable file's bytes from there after the launch.
void host_read_file(int descriptor, void* to);
// Whether the host switches stacks in this run of the launch. If not, `host_switch` ends it, and the next one begins.
int host_switches();
void host_send(const char* text, u64 length);
// As vsnprintf.
int host_print(char* to, u64 room, const char* format, __builtin_va_list list);
}

[[noreturn]] static void quit(Status status) { host_quit(int(status)); }

static int print_list_to(char* to, u64 room, const char* format, __builtin_va_list list) {
    return host_print(to, room, format, list);
}

static int print_to(char* to, u64 room, const char* format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = print_list_to(to, room, format, list);
    __builtin_va_end(list);
    return length;
}

[[noreturn]] static void refuse(const char* why, ...) {
    static char text[512];
    __builtin_va_list list;
    __builtin_va_start(list, why);
    int length = print_list_to(text, sizeof text, why, list);
    __builtin_va_end(list);
    host_refuse(text, u64(length) < sizeof text ? u64(length) : sizeof text - 1);
    quit(Status::Refused);
}

static void open_result(int) {}

static bool send_result(const char* text, u64 length) {
    host_send(text, length);
    return true;
}
