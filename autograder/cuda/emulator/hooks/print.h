// printf as CUDA has it, see the CUDA C++ Programming Guide, "Formatted Output", and as an H200 has it (CUDA 13.2).
// The platform formats one value at a time: of a whole list it would read whatever lies where an argument is missing, or
// is of another kind.
#pragma once
#include "access.h"

static char* printed;
static u64 printed_length;
constexpr u64 MAX_PRINTED = 1 << 20;
constexpr u32 MAX_PRINT_ARGUMENTS = 32;  // further ones are ignored

// One conversion of a format: where it ends, and what it reads.
struct Conversion {
    const char* end;  // after it; null: not one that CUDA knows
    u32 stars;        // width or precision that an argument gives
    bool is_long;     // an integer of 8 bytes
    bool unknown;     // of a size that C knows and CUDA does not
    char type;
};
// Long numbers would make the library take gigabytes. (A width may fill all of the output, which ends the launch.)
constexpr u32 MAX_DIGITS = 4;
constexpr int MAX_WIDTH = MAX_PRINTED;

static void print_prepare() { printed = (char*)allocate_lazily(MAX_PRINTED); }

static Conversion read_conversion(const char* at) {
    Conversion c = {nullptr, 0, false, false, 0};
    const char* d = at + 1;
    while (*d && __builtin_strchr("-+ #0", *d)) d++;
    for (u32 part = 0; part < 2; part++) {  // width, then precision
        if (part && *d != '.') break;
        d += part;
        if (*d == '*') {
            c.stars++, d++;
            continue;
        }
        u32 digits = 0;
        for (; *d >= '0' && *d <= '9'; d++)
            if (++digits > MAX_DIGITS) return c;
    }
    for (; *d && __builtin_strchr("hljztL", *d); d++) {
        c.is_long |= *d == 'l';
        c.unknown |= *d != 'l' && *d != 'h';
    }
    c.type = *d;
    if (c.type && __builtin_strchr("diouxXeEfFgGaAcsp", c.type)) c.end = d + 1;
    return c;
}

static void print_bytes(const char* text, u64 length, const void* site) {
    if (printed_length + length >= MAX_PRINTED) {
        printed_length = MAX_PRINTED - 1;
        stop_limit(Limit::Output, site);
    }
    __builtin_memcpy(printed + printed_length, text, length);
    printed_length += length;
}

// Stops at a text that goes on where the thread may not read.
static void check_text(const char* text, u64 most, const void* site) {
    u64 room = readable_from((u64)text);
    if (room >= most || __builtin_memchr(text, 0, room)) return;
    stop_out_of_bounds((u64)text + room, 1, Action::Read, site, nullptr);
}

static int within(u64 star) {
    int n = int(star);
    return n > MAX_WIDTH ? MAX_WIDTH : n < -MAX_WIDTH ? -MAX_WIDTH : n;
}

static i64 whole_number(const char* text) {
    i64 n = 0;
    if (*text == '-') return -1;
    while (*text >= '0' && *text <= '9') n = 10 * n + (*text++ - '0');
    return n;
}

static void print_one(const char* from, const Conversion& c, const u64* stars, u64 value, const void* site) {
    // The conversion with its widths as numbers, and integers as wide as they are here.
    char format[64];
    u32 n = 0;
    for (const char* d = from; d < c.end - 1 && n < 40; d++) {
        if (*d == '*') n += u32(print_to(format + n, 12, "%d", within(*stars++)));
        else if (*d != 'l' || c.type == 'c' || c.type == 's' || c.type == 'p') format[n++] = *d;
    }
    bool real = __builtin_strchr("eEfFgGaA", c.type), integer = __builtin_strchr("diouxX", c.type);
    if (integer && c.is_long) format[n++] = 'l';
    format[n++] = c.type;
    format[n] = 0;
    if (c.type == 's' && value) {
        const char* point = __builtin_strchr(format, '.');  // the precision: the most characters
        i64 most = point ? whole_number(point + 1) : -1;
        check_text((const char*)value, most < 0 ? ~0ull : u64(most), site);
    }
    u64 left = MAX_PRINTED - printed_length;
    char* to = printed + printed_length;
    double number;
    __builtin_memcpy(&number, &value, sizeof number);
    int length = real                   ? print_to(to, left, format, number)
                 : c.type == 's'        ? print_to(to, left, format, value ? (const char*)value : "(null)")
                 : c.type == 'p'        ? print_to(to, left, format, (void*)value)
                 : integer && c.is_long ? print_to(to, left, format, (long)value)
                                        : print_to(to, left, format, int(value));
    if (length > 0 && u64(length) >= left) print_bytes("", left, site);
    if (length > 0) printed_length += u64(length);
}

static void print_text(const char* text, const void* site) { print_bytes(text, __builtin_strlen(text), site); }

// The number of arguments; -1: no format. A conversion that CUDA does not know stands as it is. After one of a size that
// it does not know, a GPU prints what it finds in the wrong places; here nothing more is put in.
extern "C" __attribute__((visibility("default"))) int emu_print(const char* format, const u64* arguments, u32 count,
                                                                const void* site) {
    if (!format) return -1;
    check_text(format, ~0ull, site);
    if (count > MAX_PRINT_ARGUMENTS) count = MAX_PRINT_ARGUMENTS;
    bool astray = false;
    u32 read = 0;
    for (const char* c = format; *c;) {
        const char* plain = c;
        while (*c && *c != '%') c++;
        print_bytes(plain, u64(c - plain), site);
        if (!*c) break;
        Conversion next = c[1] == '%' ? Conversion{} : read_conversion(c);
        if (!next.end) {
            print_bytes("%", 1, site);
            c += c[1] == '%' ? 2 : 1;
            continue;
        }
        astray |= next.unknown;
        if (!astray && read + next.stars < count) {
            print_one(c, next, arguments + read, arguments[read + next.stars], site);
            read += next.stars + 1;
        } else {
            print_bytes(c, u64(next.end - c), site);  // without an argument it stands as it is
            if (next.unknown) print_text(" (CUDA's printf knows the sizes h, l and ll alone)", site);
            read = count;
        }
        c = next.end;
    }
    return int(count);
}

// What stands for printf itself, whose address a text may take: with no argument that anybody has counted.
extern "C" __attribute__((visibility("default"))) int emu_printf(const char* format, ...) {
    return emu_print(format, nullptr, 0, CALL_SITE);
}
