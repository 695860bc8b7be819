// JSON text in one buffer, which is sent at the end. protocol_json.h writes records with it.
#pragma once
#include "allocate.h"
#include "protocol.h"

static char* json;
static u64 json_length;

static void put_bytes(const char* text, u64 length) {
    if (!json) json = (char*)allocate_lazily(MAX_ANSWER);
    if (length > MAX_ANSWER - json_length) quit(Status::Unsent);
    __builtin_memcpy(json + json_length, text, length);
    json_length += length;
}

static void put_json(const char* text) { put_bytes(text, __builtin_strlen(text)); }
static void put_json(bool value) { put_json(value ? "true" : "false"); }
static void put_json(u64 value) {
    char digits[20];
    u32 first = sizeof digits;
    do digits[--first] = char('0' + value % 10);
    while (value /= 10);
    put_bytes(digits + first, sizeof digits - first);
}
static void put_json(i64 value) {
    if (value < 0) put_json("-");
    put_json(value < 0 ? -u64(value) : u64(value));
}
static void put_json(const Text& text) {
    put_json("\"");
    for (u64 i = 0; i < text.length; i++) {
        u8 c = u8(text.start[i]);
        const char code[] = {'\\', 'u', '0', '0', "0123456789abcdef"[c / 16], "0123456789abcdef"[c % 16]};
        if (c == '"' || c == '\\') put_json("\\");
        if (c < 32 || c > 126) put_bytes(code, sizeof code);
        else put_bytes(text.start + i, 1);
    }
    put_json("\"");
}
template <class T> static void put_list(const T* items, u64 count) {
    put_json("[");
    for (u64 i = 0; i < count; i++) {
        if (i) put_json(",");
        put(items[i]);
    }
    put_json("]");
}
template <class T> static void put_optional(const T* value) {
    if (value) put(*value);
    else put_json("null");
}
