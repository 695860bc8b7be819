// The result: JSON text in one buffer, written to a file descriptor at the end.
#pragma once
#include "allocate.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

constexpr int RESULT_FD = 3;
constexpr u64 RESULT_LIMIT = 8 << 20;
static char* result;
static u64 result_length;

__attribute__((format(printf, 1, 2))) static void put(const char* format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(result + result_length, RESULT_LIMIT - result_length, format, list);
    va_end(list);
    if (n > 0 && result_length + u64(n) < RESULT_LIMIT) result_length += u64(n);
}

static void put_string(const char* text, u64 length) {
    put("\"");
    for (u64 i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') put("\\%c", c);
        else if (c < 32 || c > 126) put("\\u%04x", c);
        else if (result_length + 1 < RESULT_LIMIT) result[result_length++] = (char)c;
    }
    put("\"");
}

static void send_result() {
    for (u64 sent = 0; sent < result_length;) {
        ssize_t n = write(RESULT_FD, result + sent, result_length - sent);
        if (n <= 0) end_process(Status::Unsent);
        sent += u64(n);
    }
}
