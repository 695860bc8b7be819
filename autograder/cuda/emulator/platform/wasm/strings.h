// There is no C library; the compiler calls these by name.
#pragma once
#include "types.h"

extern "C" {
u64 strlen(const char* text) {
    u64 n = 0;
    while (text[n]) n++;
    return n;
}
int strcmp(const char* a, const char* b) {
    while (*a && *a == *b) a++, b++;
    return u8(*a) - u8(*b);
}
char* strchr(const char* text, int c) {
    for (;; text++) {
        if (*text == char(c)) return (char*)text;
        if (!*text) return nullptr;
    }
}
void* memchr(const void* bytes, int c, u64 n) {
    for (const u8* at = (const u8*)bytes; n--; at++)
        if (*at == u8(c)) return (void*)at;
    return nullptr;
}
char* strstr(const char* text, const char* part) {
    u64 length = strlen(part);
    for (;; text++) {
        u64 i = 0;
        while (i < length && text[i] == part[i]) i++;
        if (i == length) return (char*)text;
        if (!*text) return nullptr;
    }
}
int memcmp(const void* a, const void* b, u64 n) {
    for (u64 i = 0; i < n; i++)
        if (((const u8*)a)[i] != ((const u8*)b)[i]) return ((const u8*)a)[i] - ((const u8*)b)[i];
    return 0;
}
}
