// Words that the runtime and inline_hooks.cpp share, and protocol.h. No headers: there are none where a kernel is compiled.
#pragma once

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using i8 = signed char;
using i32 = int;
using i64 = long long;
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
